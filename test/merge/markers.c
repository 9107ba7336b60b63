// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %merges %s %t.loop --cc=-DLOOP
// RUN: %merges %s %t.nested --cc=-DNESTED
// RUN: %merges %s %t.ends --cc=-DENDS
// RUN: %merges %s %t.leaves --cc=-DLEAVES
// RUN: %merges %s %t.apart --cc=-DAPART
// RUN: %merges %s %t.klee --cc=-DKLEE
// RUN: %merges %s %t.sizes --cc=-DLOOP -- --memory symbolic-size=16
// Regions between markers: in a loop, one in the other, with states that end or leave in between, and in several functions.
// Without merging they do nothing: five bytes give 32 paths.
// RUN: %fathom-cc -g -DLOOP %s -o %t
// RUN: %fathom explore %t --force -o %t.none | FileCheck %s --check-prefix=NONE
// NONE: 32 completed
// Merged, one goes on after each round, and in the end there is one for each number of bytes.
// RUN: %fathom explore %t --force -o %t.cfg --merge cfg | FileCheck %s --check-prefix=CFG
// CFG: 6 completed
#include "Inputs/tell.h"
#include <klee/klee.h>
#include <stdlib.h>

#ifdef KLEE
#define OPEN klee_open_merge
#define CLOSE klee_close_merge
#else
#define OPEN fathom_open_merge
#define CLOSE fathom_close_merge
#endif

static unsigned n, m;

static void begin(void) { OPEN(); }

/* Some paths leave without closing. */
static int classOf(unsigned char c) {
  OPEN();
  if (c < 'a') return 7;
  int kind = c < 'f' ? 1 : c < 'x' ? 2 : 3;
  CLOSE();
  return kind;
}

int main(void) {
  unsigned char data[5];
  fathom_symbolic(data, sizeof data, "data");
#ifdef LOOP
  for (unsigned i = 0; i < sizeof data; i++) {
    OPEN();
    if (data[i] == 'x') n++;
    CLOSE();
  }
#elif defined NESTED
  OPEN();
  if (data[0] == 'x') {
    OPEN();
    if (data[1] == 'y') n = 2;
    CLOSE();
    n++;
  }
  if (data[2] == 'z') m = n + 4;
  CLOSE();
#elif defined ENDS
  OPEN();
  if (data[0] == 'x') exit(3);
  if (data[1] == 'y') n = 1;
  if (data[2] > 4) m = 10 / (data[3] - 1u); // with one that divides by zero
  m = m > 3;
  CLOSE();
#elif defined LEAVES
  n = (unsigned)classOf(data[0]);
  m = (unsigned)classOf(data[1]);
#elif defined APART
  begin();
  if (data[0] == 'x') {
    n = 1;
  } else if (data[0] == 'y') {
    n = 5;
    CLOSE(); // another place: these go on by themselves
    tell(9);
    return 0;
  }
  if (data[1] == 'z') m = 2;
  CLOSE();
#elif defined KLEE
  OPEN();
  switch (data[0]) {
  case 'a': n = 1; break;
  case 'b': n = 2; break;
  case 'c':
    for (unsigned i = 1; i < sizeof data && data[i] == 'c'; i++) n++;
    break;
  default: m = 3;
  }
  CLOSE();
#endif
  tell(n);
  tell(m);
  return 0;
}
