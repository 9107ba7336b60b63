// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore --cc=-fsanitize=undefined --cc=-fsanitize-trap=undefined %s %t bugs=abort:32,abort:33,abort:44,bad-call:40,division-by-zero:26,null-dereference:34,out-of-bounds-read:29,out-of-bounds-write:30,overshift:28,signed-overflow:26,signed-overflow:27,signed-overflow:31,unreachable:35 -- --sym-stdin 2
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: bugs{{ +}}12 of 13 reproduce
// RUN: %explore %s %t.plain bugs=abort:32,abort:33,division-by-zero:26,null-dereference:34,out-of-bounds-read:29,out-of-bounds-write:30,overshift:28,signed-overflow:26,signed-overflow:27,signed-overflow:31,unreachable:35 -- --sym-stdin 2
// RUN: %fathom replay %t.plain.program %t.plain.out | FileCheck --check-prefix=PLAIN %s
// PLAIN-DAG: abort: reproduces, signal SIGILL
// PLAIN-DAG: abort: reproduces, signal SIGTRAP
//
// Traps: what they are for is the bug's kind, also where several conditions share one check of clang's sanitizers, and
// SIGILL and SIGTRAP reproduce them.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int four[4] = {1, 2, 3, 4};
static long other(long a, long b, long c) { return a + b + c; }

int main(void) {
  unsigned char in[2] = {0};
  char bytes[8] = {0};
  read(0, in, 2);
  int x = in[1] - 128, r = 0;
  switch (in[0]) {
  case 'd': r = (x < 0 ? INT_MIN : 7) / (x < 0 ? x : x / 64); break;
  case '+': r = INT_MAX - 100 + x; break;
  case '<': r = 1 << (x & 63); break;
  case 'r': r = four[x & 7]; break;
  case 'w': four[x & 7] = 1; break;
  case '-': r = -(x < 0 ? INT_MIN : x); break;
  case 'u': __asm__ volatile("ud2"); break;
  case 't': __builtin_debugtrap(); break;
  case 'n': r = *(x < 0 ? (int *)0 : four); break;
  case 'b': __builtin_unreachable();
#ifdef __has_feature
#if __has_feature(undefined_behavior_sanitizer)
  case 'f': {
    int (*volatile f)(int) = (int (*)(int))(void *)other;
    r = f(x);
    break;
  }
  case 'a':
    r = *(int *)(bytes + (x & 3));
    break;
#endif
#endif
  }
  return r & 1;
}
