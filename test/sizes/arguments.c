// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %sizes %s %t 3 -- --sym-arg SIZE
// RUN: %sizes %s %t.two 2 -- --sym-args 0 2 SIZE
// RUN: %sizes %s %t.words 2 -- before --sym-arg SIZE
// Arguments of symbolic length.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2) return 9;
  const char *text = argv[argc - 1];
  if (strcmp(text, "-n") == 0) return 1;
  size_t digits = 0;
  while (text[digits] >= '0' && text[digits] <= '9') digits++;
  printf("%zu of %zu\n", digits, strlen(text));
  return 0;
}
