// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each round of a loop makes an object and frees it. What one round leaves in a member is gone with its object, or with what the next
// round stores there, also in functions that are called; and a check of a member holds for what is read there again.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free,double-free,null-dereference > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 4 reports: 3 use-after-free, 1 null-dereference
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct field {
  size_t length;
  char *data;
};

static struct field *fieldNew(size_t length) {
  struct field *f = malloc(sizeof *f);
  if (!f) return NULL;
  f->length = length;
  f->data = malloc(length + 1);
  if (!f->data) {
    free(f);
    return NULL;
  }
  return f;
}

static void fieldFree(struct field *f) {
  free(f->data);
  free(f);
}

int roundsOk(int rounds) {
  char line[8];
  int sum = 0;
  while (rounds-- > 0 && fgets(line, sizeof line, stdin)) {
    struct field *f = fieldNew(strlen(line));
    if (!f) return -1;
    memcpy(f->data, line, f->length);
    sum += f->data[0];
    fieldFree(f);
  }
  return sum;
}

int inlineOk(void) {
  int c, sum = 0;
  while ((c = getchar()) > 0) {
    struct field *f = malloc(sizeof *f);
    if (!f) return 1;
    f->data = malloc(8);
    if (!f->data) {
      free(f);
      return 1;
    }
    f->data[c & 7] = (char)c;
    sum += f->data[c & 7];
    free(f->data);
    free(f);
  }
  return sum;
}

static void drop(struct field *f) { free(f->data); }
static void set(struct field *f, char *data) { f->data = data; }
static void setLong(struct field *f, char *data) {
  if (f->length > 3) f->data = data;
}

char storedOk(struct field *f) {
  drop(f);
  f->data = strdup("a");
  return f->data ? f->data[0] : 'b';
}

char setOk(struct field *f, int rounds) {
  char c = 'a';
  for (int i = 0; i < rounds; i++) {
    set(f, strdup("a"));
    if (!f->data) return c;
    c = f->data[0];
    drop(f);
  }
  set(f, NULL);
  return c;
}

char notSetBad(struct field *f) {
  drop(f);
  setLong(f, "abcd");
  // CHECK-DAG: rounds.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return f->data[0];
}

char objectBad(struct field *f) {
  fieldFree(f);
  // CHECK-DAG: rounds.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return f->data[0];
}

// What realloc moves, it keeps.
char movedBad(struct field *f) {
  free(f->data);
  struct field *more = realloc(f, 4 * sizeof *f);
  if (!more) exit(1);
  // CHECK-DAG: rounds.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return more->data[0];
}

int uncheckedBad(void) {
  struct field *f = malloc(sizeof *f);
  if (!f) return 1;
  f->data = malloc(8);
  // CHECK-DAG: rounds.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference
  f->data[0] = 'a';
  fieldFree(f);
  return 0;
}

int main(int argc, char **argv) {
  struct field *a = fieldNew(1), *b = fieldNew(2), *c = fieldNew(3), *d = fieldNew(4), *e = fieldNew(5);
  if (!a || !b || !c || !d || !e) return 1;
  int sum = roundsOk(argc) + inlineOk() + storedOk(a) + setOk(b, argc) + uncheckedBad();
  return sum + notSetBad(c) + objectBad(d) + movedBad(e);
}
