// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computing with a check of overflow: the sum and whether it fits are two values, and the number from which on it does not fit is known.
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}5 reports: 3 null-dereference, 1 out-of-bounds-read, 1 out-of-bounds-write
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A block that grows as gnulib's x2nrealloc has it: never of no bytes.
static char *grown(char *old, size_t *count) {
  size_t n = *count;
  if (__builtin_add_overflow(n, (n >> 1) + 1, &n)) exit(3);
  char *block = realloc(old, n);
  if (!block) exit(2);
  *count = n;
  return block;
}

static void goodGrow(size_t count, char letter) {
  char *block = grown(NULL, &count);
  block[count - 1] = letter;
  free(block);
}

static char goodMixed(int c) {
  size_t n;
  if (__builtin_add_overflow(c, 7, &n)) exit(3);
  char *block = malloc(n);
  if (!block) return 1;
  memset(block, 1, n);
  const char first = block[0];
  free(block);
  return first;
}

// What is known of the sum.
static int badSum(unsigned n) {
  unsigned sum;
  char six[6] = "abcde";
  if (n != 3 || __builtin_uadd_overflow(n, 4, &sum)) return 0;
  // CHECK-DAG: overflow-builtin.c:[[@LINE+1]]:{{.*}} out-of-bounds-read: read of 1 byte at offset 7
  return six[sum];
}

static int goodSum(unsigned n) {
  unsigned sum;
  char six[6] = "abcde";
  if (n > 3 || __builtin_uadd_overflow(n, 2, &sum)) return 0;
  return six[sum];
}

// Whether it fits.
static int badFits(int n, int *p) {
  int sum;
  if (__builtin_sadd_overflow(n, INT_MAX, &sum)) p = NULL;
  // CHECK-DAG: overflow-builtin.c:[[@LINE+1]]:{{.*}} null-dereference
  return n > 0 ? *p : 0;
}

static int goodFits(int n, int *p) {
  int sum;
  if (__builtin_sadd_overflow(n, INT_MAX, &sum)) p = NULL;
  return n <= 0 ? *p : 0;
}

static int badWraps(unsigned n, int *p) {
  unsigned sum;
  if (__builtin_uadd_overflow(n, 16u, &sum)) p = NULL;
  // CHECK-DAG: overflow-builtin.c:[[@LINE+1]]:{{.*}} null-dereference
  return n > 16 ? *p : 0;
}

static int goodWraps(unsigned n, int *p) {
  unsigned sum;
  if (__builtin_uadd_overflow(n, 16u, &sum)) p = NULL;
  return n < 16 ? *p : 0;
}

static int goodSubtracted(int n, int *p) {
  int difference;
  if (__builtin_ssub_overflow(n, 5, &difference)) p = NULL;
  return n > -100 ? *p : 0;
}

static int badDifference(unsigned n, int *p) {
  unsigned difference;
  if (__builtin_usub_overflow(n, 4u, &difference)) p = NULL;
  // CHECK-DAG: overflow-builtin.c:[[@LINE+1]]:{{.*}} null-dereference
  return n < 4 ? *p : 0;
}

static int goodDifference(unsigned n, unsigned m, int *p) {
  unsigned difference;
  if (__builtin_usub_overflow(n, m, &difference)) p = NULL;
  return n >= m ? *p : 0;
}

static void badFourTimes(uint8_t n) {
  uint8_t times;
  char fifty[50] = "";
  if (__builtin_mul_overflow(n, (uint8_t)4, &times)) return;
  // CHECK-DAG: overflow-builtin.c:[[@LINE+1]]:{{.*}} out-of-bounds-write: write of 1 byte at offset up to 63
  fifty[n] = 0;
  puts(fifty);
}

static void goodFourTimes(uint8_t n) {
  uint8_t times;
  char all[64] = "";
  if (__builtin_mul_overflow(n, (uint8_t)4, &times)) return;
  all[n] = 0;
  puts(all);
}

int main(int argc, char **argv) {
  const int sum = badSum((unsigned)argc); // before others exclude numbers
  goodGrow((size_t)argc, *argv[0]);
  goodFourTimes((uint8_t)argc);
  badFourTimes((uint8_t)argc);
  const int differences = badDifference((unsigned)argc, &argc) + goodDifference((unsigned)argc, (unsigned)argv[0][0], &argc);
  return sum + goodMixed(argc) + goodSum((unsigned)argc) + badFits(argc, &argc) + goodFits(argc, &argc) + differences + badWraps((unsigned)argc, &argc) + goodWraps((unsigned)argc, &argc) + goodSubtracted(argc, &argc);
}
