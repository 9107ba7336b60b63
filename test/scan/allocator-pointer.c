// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that hands its allocator around as a pointer: what each call makes is memory of its own, and has the type as which its caller
// uses it. So a member that holds one callback is not taken for one that holds another, which frees.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free,double-free > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// RUN: %fathom scan %t --print points-to | FileCheck %s --check-prefix=SETS
// COUNT: 1 report: 1 use-after-free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
  void (*put)(char *text);
  void (*drop)(char *text);
  char *text;
};

static void *allocate(size_t bytes) { return malloc(bytes); }
static void put(char *text) { puts(text); }
static void drop(char *text) { free(text); }

static struct state *make(void *(*allocator)(size_t), void (*put)(char *), void (*drop)(char *)) {
  // SETS: call yields {allocate@{{.*}}allocator-pointer.c:[[#@LINE+1]]}
  struct state *s = allocator(sizeof *s);
  if (!s) exit(1);
  s->put = put;
  s->drop = drop;
  // SETS: call yields {allocate@{{.*}}allocator-pointer.c:[[#@LINE+1]]}
  s->text = allocator(64);
  if (!s->text) exit(1);
  s->text[0] = '\0';
  return s;
}

static char putOk(struct state *s) {
  s->put(s->text);
  return s->text[0];
}

static char dropBad(struct state *s) {
  s->drop(s->text);
  // CHECK: allocator-pointer.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is read
  return s->text[0];
}

// A caller that only keeps what it gets does not say what it is; the function that fills it in does.
static void *ready(void) {
  struct state *s = malloc(sizeof *s);
  if (!s) exit(1);
  s->put = put;
  s->drop = drop;
  s->text = strdup("abc");
  return s;
}
static void *any;
static void keep(void *(*maker)(void)) { any = maker(); }

// SETS-LABEL: anyOk
// SETS: load from {ready@{{.*}}} yields {put}{{$}}
static char anyOk(void) {
  struct state *s = any;
  s->put(s->text);
  return s->text[0];
}

int main(int argc, char **argv) {
  (void)argv;
  struct state *s = make(allocate, put, drop);
  keep(argc > 1 ? ready : NULL);
  return putOk(s) + anyOk() + dropBad(s);
}
