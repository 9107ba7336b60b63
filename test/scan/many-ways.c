// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with more ways than are told apart: ways that differ in nothing that reports are about become one, and what goes wrong on the
// way out is looked for before that.
// RUN: %fathom-cc -g -O1 %s -o %t && %fathom scan %t --no-cache > %t.txt && FileCheck %s < %t.txt
// CHECK: many-ways.c:51:{{[0-9]+}}: leak: memory is not freed; it was allocated at many-ways.c:43
// CHECK: many-ways.c:38:{{[0-9]+}}: handle-leak: a file is not closed; made at many-ways.c:27
// CHECK: 2 reports: 1 leak, 1 handle-leak
//
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *first, *second, *third, *fourth;
static long length;
static void drop(void) { // sixteen ways
  if (first) free(first);
  if (second) free(second);
  if (third) free(third);
  if (fourth) free(fourth);
  first = second = third = fourth = NULL;
}
static FILE *copyOf(FILE *in, const char *start, size_t bytes) {
  FILE *out = in;
  drop();
  if (fseek(in, 0, SEEK_SET) == -1) {
    if (errno != ESPIPE) return NULL;
    out = tmpfile();
    if (!out) return NULL;
    if (bytes > 0 && fwrite(start, 1, bytes, out) != bytes) {
      fclose(out);
      return NULL;
    }
  }
  fseek(out, 0, SEEK_END);
  length = ftell(out);
  char head[16];
  if (fread(head, 1, sizeof head, out) != sizeof head)
    return NULL; // the copy is lost
  return out;
}
static int parse(const char *text, int isStrict) {
  drop();
  char *mine = malloc(strlen(text) + 1);
  if (!mine) return -1;
  strcpy(mine, text);
  int kind = 0;
  if (mine[0] == '-') kind = 1;
  if (isStrict && length > 10) kind |= 2;
  if (length % 2) kind |= 4;
  if (kind > 2) {
    return -2; // lost
  }
  puts(mine);
  free(mine);
  return kind;
}
int main(int argc, char **argv) {
  if (argc < 3) return 1;
  FILE *copy = copyOf(stdin, argv[1], strlen(argv[1]));
  if (!copy) return 2;
  if (copy != stdin) fclose(copy);
  first = strdup(argv[1]);
  second = strdup(argv[2]);
  third = strdup(argv[1]);
  fourth = strdup(argv[2]);
  return parse(argv[1], argc > 3);
}
