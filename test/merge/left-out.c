// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What [merging23] says it cannot merge, or leaves out.
// A sum of what the loop read: the condition has a pattern, the sum is chosen by the number of rounds.
// RUN: %merges %s %t.sum --patterns 1 --cc=-DSUM
// A sum that ends the loop: each round's condition is longer than the one before, so there is no pattern, and the paths are merged along the tree.
// RUN: %merges %s %t.limit --cc=-DLIMIT
// RUN: %fathom explore %t.limit.program -o %t.out --force --merge pattern --merge-at limit --explain-merges 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT-NOT: {{^}}  pattern
// LIMIT: {{[0-9]+}} paths become one{{$}}
// LIMIT-NOT: {{^}}  pattern
// LIMIT: no state left to explore
// Numbers of one condition that progress differently: i and 3 i + 1.
// RUN: %merges %s %t.mixed --patterns 2 --cc=-DMIXED
// A number of several bytes that grows beyond one of them: merged as one word, not byte by byte.
// RUN: %merges %s %t.wide --patterns 1 --cc=-DWIDE
// RUN: %fathom explore %t.wide.program -o %t.out --force --merge pattern --merge-at fill --explain-merges 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: 6 paths become one, of 0 to 5 rounds
#include "Inputs/tell.h"
#include <stddef.h>

#ifndef MOST
#define MOST 5
#endif
enum { kMost = MOST };
static unsigned char s[kMost], t[4 * kMost];

static unsigned sum(size_t n) {
  unsigned all = 0;
  size_t i = 0;
  while (i < n) all += s[i++];
  return all;
}

static int limit(size_t n) {
  unsigned all = 0;
  int i = 0;
  while (i < n && all < 200) all += s[i++];
  return i;
}

static int mixed(size_t n) {
  int i = 0;
  while (i < n && s[i] == t[3 * i + 1]) i++;
  return i;
}

static unsigned fill(size_t n) {
  unsigned bytes = 100;
  for (size_t i = 0; i < n; i++) bytes += 200;
  return bytes;
}

int main(void) {
  size_t n;
  fathom_symbolic(s, sizeof s, "s");
  fathom_symbolic(t, sizeof t, "t");
  fathom_symbolic(&n, sizeof n, "n");
  fathom_assume(n <= kMost);
#ifdef SUM
  puts(sum(n) == 700 ? "seven hundred" : "other");
#elif defined(LIMIT)
  tell(limit(n));
#elif defined(MIXED)
  tell(mixed(n));
#else
  puts(fill(n) > 600 ? "many" : "few");
#endif
  return 0;
}
