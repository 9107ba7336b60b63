// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function without a way to its end does not return, also if it is too large to be followed.
// A text that a callee reads is as long as its caller knows.
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}3 reports: 1 double-free, 1 out-of-bounds-read, 1 out-of-bounds-write
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More statements than are executed in one function.
#define ONE if (a & 1) b ^= a; else a = a * 3 + b;
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED

static void fail(unsigned a, unsigned b, const char *why) {
  THOUSAND THOUSAND
  fprintf(stderr, "%u: %s\n", a + b, why);
  exit(a == 3 ? 1 : 2);
}

static void report(const char *why) { fail(1, 2, why); }

static int warn(unsigned a, unsigned b, const char *why) {
  THOUSAND THOUSAND
  if (a == 7) exit(3);
  return fprintf(stderr, "%u: %s\n", a + b, why);
}

static void goodFree(char *text) {
  if (text[0] == 'x') {
    free(text);
    report("x");
  }
  free(text);
}

static void badFree(char *text) {
  if (text[0] == 'x') {
    free(text);
    warn(1, 2, "x");
  }
  free(text); // CHECK-DAG: never-returns.c:[[@LINE]]:{{.*}} double-free
}

struct string {
  char *text;
  size_t length, size;
};

static void grow(struct string *string) {
  string->size *= 2;
  string->text = realloc(string->text, string->size);
  if (!string->text) report("memory");
}

static void append(struct string *string, const char *what) {
  const size_t length = strlen(what);
  while (string->length + length + 1 >= string->size) grow(string);
  strcpy(string->text + string->length, what);
  string->length += length;
}

static size_t goodAppend(FILE *in) {
  struct string string = {calloc(32, 1), 0, 32};
  if (!string.text) return 0;
  char line[80];
  if (fgets(line, sizeof line, in)) append(&string, line);
  append(&string, "/usr/etc/rc");
  const size_t length = string.length;
  free(string.text);
  return length;
}

static size_t lengthOf(const char *text) {
  // CHECK-DAG: never-returns.c:[[@LINE+1]]:{{.*}} out-of-bounds-read: read of 1 byte at offset 9
  return strlen(text);
}

static size_t badLength(const char *text) {
  char four[4];
  if (strlen(text) != 9) return lengthOf("abc");
  // CHECK-DAG: never-returns.c:[[@LINE+1]]:{{.*}} out-of-bounds-write: write of 1 byte at offset 9
  strcpy(four, text);
  return lengthOf(four);
}

// The callee reads what it wrote itself.
static size_t emptied(char *text) {
  text[0] = 0;
  return strlen(text);
}

static size_t goodEmptied(const char *text) {
  char eight[8];
  if (strlen(text) != 7) return 0;
  strcpy(eight, text);
  return emptied(eight + 4);
}

int main(int argc, char **argv) {
  const size_t lengths = badLength(argv[0]) + goodEmptied(argv[0]);
  if (argc == 2) goodFree(strdup(argv[1]));
  if (argc == 3) badFree(strdup(argv[1]));
  return (int)(goodAppend(stdin) + lengths);
}
