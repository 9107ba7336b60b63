/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * notes [-w] FILE <SEPARATOR: divides by zero, and reads behind a block (which only a sanitizer shows); with -DREPAIRED neither. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int columns(int width) {
#ifdef REPAIRED
  if (width == 0) return 1;
#endif
  return 80 / width;
}

static int last(const char *text, size_t size) {
  char *copy = malloc(size);
  if (!copy) return 0;
  memcpy(copy, text, size);
#ifdef REPAIRED
  size--;
#endif
  int c = copy[size];
  free(copy);
  return c;
}

int main(int argc, char **argv) {
  char head[2];
  if (argc < 2) return 2;
  FILE *file = fopen(argv[argc - 1], "rb");
  if (!file || fread(head, 1, sizeof head, file) != sizeof head) return 2;
  fclose(file);
  int separator = getchar();
  if (argc == 3 && !strcmp(argv[1], "-w") && separator == ';') return columns(head[0] - '0') & 1;
  if (argc == 2 && head[0] == 'L' && separator == ',') return last(head, sizeof head) & 1;
  return 3;
}
