# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many-frees.py N: a program that frees one block in N places and reads it in N: their pairs take minutes from N = 300 on."""
import sys

print("#include <stdlib.h>\nint c;\nint main(int argc, char **argv) {\n  char *p = malloc(10);\n  if (!p) return 1;")
for i in range(int(sys.argv[1])):
    print(f"  if (argc > {i}) free(p);\n  if (argc < {i}) c += p[{i % 10}];")
print("  return c;\n}")
