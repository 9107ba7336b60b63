# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many-recursive.py N: a program with N functions that allocate, or call themselves for it, and are called in turn."""
import sys

number = int(sys.argv[1])
print("#include <stdlib.h>")
for i in range(number):
    print(f"__attribute__((noinline)) void *get{i}(int n) {{\n  void *p = n > {i} ? get{i}(n - 1) : malloc(4);\n  if (!p) exit(1);\n  return p;\n}}")
print("int main(int argc, char **argv) {")
for i in range(number):
    print(f"  free(get{i}(argc));")
print("  return 0;\n}")
