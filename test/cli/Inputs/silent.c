// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that do not end a program: with some a sanitizer is needed to see them.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

char *volatile kept;

int main(int argc, char **argv) {
  if (argc < 2) return 0;
  const char *word = argv[1];
  if (word[0] == 'l') {
    kept = malloc(16);
    kept = 0;
    fclose(stderr); // the leak is looked for after that
    return 3;
  }
  if (word[0] == 'u') {
    int value[2];
    if (value[word[1] & 1] == 7) return 1;
    return 0;
  }
  if (word[0] == 'o') return (INT_MAX - 'b' + word[1]) & 1;
  if (word[0] == 's') return 1 << (word[1] - 'a') & 1;
  if (word[0] == 'r') {
    char *block = calloc(4, 1);
    int value = block[4 + (word[1] & 3)];
    free(block);
    return value == 77;
  }
  return 0;
}
