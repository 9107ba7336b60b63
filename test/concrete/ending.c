// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// The order of constructors, destructors, atexit handlers, flushing, and exit status from inside a handler's caller.
#include <stdio.h>
#include <stdlib.h>

static void say(const char *s) { printf("%s\n", s); }
__attribute__((constructor)) static void second(void) { say("constructor"); }
__attribute__((constructor(200))) static void first(void) { say("constructor 200"); }
__attribute__((constructor(300))) static void middle(void) { say("constructor 300"); }
__attribute__((destructor)) static void last(void) { say("destructor"); }
__attribute__((destructor(200))) static void veryLast(void) { say("destructor 200"); }
static void one(void) { say("atexit 1"); }
static void nested(void) { say("atexit nested"); }
static void two(void) { say("atexit 2"), atexit(nested); }
static void leave(int depth) {
  if (depth == 0) exit(300 + 7);
  leave(depth - 1);
}
int main(void) {
  atexit(one), atexit(two);
  printf("not flushed by hand");
  leave(5);
}
