// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each round of a loop begins because the ones before it passed its condition: behind `while (i < n) i++`, i is n at most. Which access
// leaves its array follows from that, in either direction: what is one too far is, what stops in time is not.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan %t --kinds out-of-bounds-read,out-of-bounds-write > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 6 reports: 2 out-of-bounds-read, 4 out-of-bounds-write
#include <stdio.h>
#include <stdlib.h>

static const int table[16] = {3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181};

// Which is the first that is larger?
static unsigned entry(int wanted) {
  unsigned i = 0;
  while (i < 14 && table[i + 1] <= wanted) i++;
  return i;
}

int nextOk(int wanted) {
  unsigned i = entry(wanted) + 1;
  int step = i < 15 ? table[i + 1] - table[i] : 0;
  return step + table[i];
}

int searchBad(int wanted) {
  unsigned i = 0;
  while (i < 16 && table[i] <= wanted) i++;
  // CHECK-DAG: loop-bounds.c:[[#@LINE+1]]:{{.*}} out-of-bounds-read: read of 4 bytes at offset up to 64 of an object of 64 bytes
  return table[i];
}

int searchOk(int wanted) {
  unsigned i = 0;
  while (i < 15 && table[i] <= wanted) i++;
  return table[i];
}

// The index is compared as a wider number.
void wordBad(const char *text) {
  char word[16];
  int i;
  for (i = 0; i < sizeof word && text[i] && text[i] != ' '; i++) word[i] = text[i];
  // CHECK-DAG: loop-bounds.c:[[#@LINE+1]]:{{.*}} out-of-bounds-write: write of 1 byte at offset up to 16 of an object of 16 bytes
  word[i] = '\0';
  puts(word);
}

void wordOk(const char *text) {
  char word[16];
  int i;
  for (i = 0; i < sizeof word - 1 && text[i] && text[i] != ' '; i++) word[i] = text[i];
  word[i] = '\0';
  puts(word);
}

// A pointer that comes to the end by steps of one does not pass it.
long digitsOk(unsigned n) {
  char digits[20];
  char *p = digits, *end = digits + sizeof digits;
  while (p != end && n > 0) {
    *p++ = (char)(n % 10);
    n /= 10;
  }
  if (p > end) return *p;
  return p - digits;
}

// Down to zero.
int lastOk(int wanted) {
  int i = 15;
  while (i >= 0 && table[i] > wanted) i--;
  return i < -1 ? table[i] : i;
}

int lastBad(int wanted) {
  int i = 15;
  while (i >= 0 && table[i] > wanted) i--;
  // CHECK-DAG: loop-bounds.c:[[#@LINE+1]]:{{.*}} out-of-bounds-read: read of 4 bytes at offset down to -4 of an object of 64 bytes
  return table[i];
}

// As many as the block has.
int copyBad(int n, const int *from) {
  if (n <= 0) return 0;
  int *copy = malloc(n * sizeof *copy);
  if (!copy) return 0;
  int i;
  for (i = 0; i < n; i++) copy[i] = from[i];
  // CHECK-DAG: loop-bounds.c:[[#@LINE+1]]:{{.*}} out-of-bounds-write: write of 4 bytes may end 4 bytes behind the end of a block
  copy[i] = 0;
  int first = copy[0];
  free(copy);
  return first;
}

int copyOk(int n, const int *from) {
  if (n <= 0) return 0;
  int *copy = malloc((n + 1) * sizeof *copy);
  if (!copy) return 0;
  int i;
  for (i = 0; i < n; i++) copy[i] = from[i];
  copy[i] = 0;
  int first = copy[0];
  free(copy);
  return first;
}

// A round may take two steps.
int pairsBad(int n) {
  int found[8];
  int i;
  for (i = 0; i < 8; i++) {
    found[i] = n;
    if (n % 3 == i) i++;
  }
  // CHECK-DAG: loop-bounds.c:[[#@LINE+1]]:{{.*}} out-of-bounds-write: write of 4 bytes at offset up to 32 of an object of 32 bytes
  found[i] = 1;
  return found[0];
}

int pairsOk(int n) {
  int found[10];
  int i;
  for (i = 0; i < 8; i++) {
    found[i] = n;
    if (n % 3 == i) i++;
  }
  found[i] = 1;
  return found[0];
}

// A global variable is what counts.
static int letters[6], count;
int globalBad(const char *s) {
  for (count = 0; count < 6 && s[count]; count++) letters[count] = s[count];
  // CHECK-DAG: loop-bounds.c:[[#@LINE+1]]:{{.*}} out-of-bounds-write: write of 4 bytes at offset up to 24 of an object of 24 bytes
  letters[count] = 0;
  return letters[0];
}

int globalOk(const char *s) {
  for (count = 0; count < 6 && s[count]; count++) letters[count] = s[count];
  if (count > 6) letters[count] = 0;
  return letters[0];
}

int main(int argc, char **argv) {
  int numbers[4];
  numbers[0] = argc;
  switch (argc) {
  case 1: return nextOk(argv[0][0]);
  case 2: return searchBad(argv[0][0]);
  case 3: return searchOk(argv[0][0]);
  case 4: wordBad(argv[0]); return 0;
  case 5: wordOk(argv[0]); return 0;
  case 6: return (int)digitsOk(argv[0][0]);
  case 7: return lastOk(argv[0][0]);
  case 8: return lastBad(argv[0][0]);
  case 9: return copyBad(argv[0][0], numbers);
  case 10: return copyOk(argv[0][0], numbers);
  case 11: return pairsBad(argv[0][0]);
  case 12: return pairsOk(argv[0][0]);
  case 13: return globalBad(argv[0]);
  case 14: return globalOk(argv[0]);
  default: return 0;
  }
}
