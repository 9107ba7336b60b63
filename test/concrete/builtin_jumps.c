// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// __builtin_setjmp and __builtin_longjmp, also nested and repeatedly; a frame's address is one in the frame.
#include <setjmp.h>
#include <stdio.h>

static void *outer[5], *inner[5];
static int depth;

__attribute__((noinline)) static void away(int n) {
  volatile char local[32] = {(char)n};
  if (n == 0) __builtin_longjmp(outer, 1);
  away(n - 1);
  printf("not here %d\n", local[0]);
}

__attribute__((noinline)) static int both(int n) {
  volatile int count = 0;
  if (__builtin_setjmp(inner)) {
    printf("inner again %d\n", ++count);
    if (depth < 3) away(depth);
    return 1;
  }
  depth++;
  return n > 100 ? both(n - 1) : 0;
}
__attribute__((noinline)) static void leave(void) { __builtin_longjmp(inner, 1); }

__attribute__((noinline)) static long between(char *below) {
  char *mine = __builtin_frame_address(0);
  return mine != 0 && mine != below;
}

int main(void) {
  volatile int times = 0;
  if (__builtin_setjmp(outer) == 0) {
    puts("straight");
    away(5);
  }
  times++;
  printf("back %d\n", times);
  if (times < 3) away(times);
  void *here[5];
  if (__builtin_setjmp(here) == 0) {
    both(1);
  } else {
    puts("here again");
  }
  jmp_buf usual;
  int r = setjmp(usual);
  if (r < 2) longjmp(usual, r + 1);
  char *frame = __builtin_frame_address(0);
  printf("%d %d %ld\n", r, frame == (char *)__builtin_frame_address(0), between(frame));
  return 0;
}
