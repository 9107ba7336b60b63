// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made with room behind it is not as large as its structure: only a use through the pointer itself shows what it is. That it is also
// kept in memory, and a function gets it from there as well, takes nothing from that, in whichever order the uses come.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --print points-to | FileCheck %s
#include <stdlib.h>

struct name {
  char *text, *copy;
};
static char text[4], copy[4];
static struct name *early, *late;

static void *make(size_t bytes) {
  void *made = calloc(1, bytes);
  if (!made) exit(1);
  return made;
}

static void fillEarly(struct name *n) {
  n->text = text;
  n->copy = copy;
}
static void fillLate(struct name *n) {
  n->text = text;
  n->copy = copy;
}

static void makeEarly(void) {
  struct name *n = make(sizeof(struct name) + 40);
  early = n;
  fillEarly(early);
  fillEarly(n);
}

static void makeLate(void) {
  struct name *n = make(sizeof(struct name) + 40);
  fillLate(n);
  late = n;
  fillLate(late);
}

// CHECK-LABEL: readEarly
// CHECK: yields {text}
static char readEarly(void) { return early->text[0]; }
// CHECK-LABEL: readLate
// CHECK: yields {text}
static char readLate(void) { return late->text[0]; }

int main(void) {
  makeEarly();
  makeLate();
  return readEarly() + readLate();
}
