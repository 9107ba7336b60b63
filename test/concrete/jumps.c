// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// setjmp and longjmp: out of loops, out of recursion, repeatedly, with values, through signal handlers.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, inner;
static sigjmp_buf fromSignal;

static int depth(int n) {
  volatile char local[16] = {(char)n};
  if (n == 0) longjmp(outer, 42);
  return depth(n - 1) + local[0];
}
static void handler(int s) { siglongjmp(fromSignal, s); }
static int protect(int (*body)(int), int x) {
  jmp_buf saved;
  __builtin_memcpy(&saved, &outer, sizeof saved);
  int r = setjmp(outer);
  if (r == 0) r = body(x);
  __builtin_memcpy(&outer, &saved, sizeof saved);
  return r;
}
static int throwing(int x) {
  if (x > 5) longjmp(outer, x);
  return x ? protect(throwing, x * 2) + 1 : 0;
}

int main(void) {
  volatile int count = 0;
  int r = setjmp(outer);
  if (r == 0) depth(10);
  printf("back with %d\n", r);
  r = setjmp(inner);
  count++;
  printf("again %d %d\n", r, count);
  if (count < 5) longjmp(inner, count == 3 ? 0 : count * 10);
  for (int i = 0; i < 3; i++) {
    switch (setjmp(inner)) {
    case 0: if (i == 1) longjmp(inner, 7); puts("straight"); break;
    case 7: puts("jumped"); break;
    }
  }
  printf("%d %d %d\n", protect(throwing, 1), protect(throwing, 9), protect(throwing, 0));
  signal(SIGUSR1, handler);
  if (sigsetjmp(fromSignal, 1) == 0) {
    raise(SIGUSR1);
    puts("not reached");
  } else
    puts("out of the handler");
  return count;
}
