// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to the places before an array, up to two elements, lie below the array on replay as well, whatever the linker and the compiler put there.
// RUN: %explore %s %t paths_completed=2 ledger=0 -- --sym-stdin 1
// RUN: %fathom replay %t.program %t.out --fail-on-divergence | FileCheck %s
// CHECK: branch traces all 2 agree
// CHECK: stdout        all 2 agree
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct cell {
  void *first, *second;
};

static long low[4] = {1, 2, 3, 4};
static struct cell cells[4];
static long high[4] = {5, 6, 7, 8};

static void down(const char *name, struct cell *array, int count) {
  int rounds = 0;
  struct cell *at = array + count - 1;
  for (; at >= array; at--) rounds++;
  printf("%s: %d %d %d %d\n", name, rounds, at < array, (int)(at - array), (uintptr_t)at < (uintptr_t)array);
}

// A stack that is empty as long as its top is the place before it.
static int of_a_frame(int pushed) {
  struct cell stack[4];
  long other[4] = {0};
  struct cell *top = stack - 1;
  for (int i = 0; i < pushed; i++) top++;
  if (top < stack) {
    printf("empty %ld\n", other[1]);
    return 1;
  }
  top->first = &other;
  printf("%d\n", stack[0].first != NULL);
  down("frame", stack, 4);
  return 0;
}

// The top may come to lie two elements before the array; elements may be large.
struct large {
  long numbers[9];
};
static struct large many[3];

static void two_before(int step) {
  struct cell stack[50];
  struct mark {
    int kind, level;
  } marks[50];
  struct large frame[3], other = {{0}};
  struct cell *top = stack - step;
  struct mark *mark = marks - step;
  struct large *outer = frame - step, *global = many - step;
  printf("%d %d %d %d %ld\n", top < stack, mark < marks, outer < frame, global < many, other.numbers[0]);
  printf("%d %d %d\n", (int)(stack - top), (int)(frame - outer), (int)(many - global));
}

int main(void) {
  char c = 0;
  read(0, &c, 1);
  down("global", cells, 4);
  printf("%ld\n", low[3] + high[0]);
  two_before(2);
  return of_a_frame(c == 'x');
}
