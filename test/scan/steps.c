// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of numbers and variables: bits of one number under several masks, variables that a loop steps by constants, elements of constant
// arrays, large unsigned numbers, what getopt sets, and variables that a call which is not followed cannot write. Each defect beside its correct twin.
//
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}9 reports: 5 null-dereference, 4 out-of-bounds-read
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bits of one number: those of a smaller mask are known with those of a larger one.
static int masksBad(int flags, int *p) {
  if (!(flags & 6)) p = NULL;
  if (!(flags & 9)) return 0;
  // CHECK-DAG: steps.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}
static int masksGood(int flags, int *p) {
  if (!(flags & 7)) p = NULL;
  return flags & 6 ? *p : 0;
}
static int masksAgainGood(int flags, int *p) {
  if (flags & 2) return 0;
  if ((flags & 6) == 2) p = NULL;
  return *p;
}

// A pointer that a loop moves by whole elements.
struct option_of {
  const char *name;
  unsigned char isFlag, offset;
};
static const struct option_of all[9] = {{"one", 1, 3}, {"two", 0, 4}};
static int elementsBad(void) {
  int sum = 0;
  // CHECK-DAG: steps.c:[[@LINE+2]]:{{.*}} out-of-bounds-read: read of 1 byte at offset up to 153 of an object of 144 bytes
  for (const struct option_of *each = all; each <= all + 9; each++)
    if (each->offset) sum += each->offset;
  return sum;
}
static int elementsGood(void) {
  int sum = 0;
  for (const struct option_of *each = all; each < all + sizeof all / sizeof *all; each++)
    if (each->isFlag) sum += each->offset;
  return sum;
}
// Every second number, and one that only grows.
static int pairsBad(const char *text) {
  char of[8] = "1234567";
  int sum = 0;
  for (int i = 0; i < 10; i += 2) {
    if (text[i] == 0) break;
    // CHECK-DAG: steps.c:[[@LINE+1]]:{{.*}} out-of-bounds-read: read of 1 byte at offset up to 9 of an object of 8 bytes
    sum += of[i + 1];
  }
  return sum;
}
static int pairsGood(const char *text) {
  char of[8] = "1234567";
  int sum = 0;
  for (int i = 0; i < 8; i += 2) {
    if (text[i] == 0) break;
    sum += of[i + 1];
  }
  return sum;
}
static int countGood(const int *of, size_t *count) {
  size_t i = 0;
  do {
    if (of[i] == 7) return 1;
  } while (of[++i]);
  if (i > 4) return 1;
  *count = i;
  return 0;
}
static int counted(const char *from) {
  static int five[5];
  for (int i = 0; i < 5; i++) five[i] = from[i];
  size_t count = 0;
  return countGood(five, &count);
}

// An element of a constant array, by its index.
static const char bitsOf[16] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
static int tableBad(unsigned n, int *p) {
  if (n >= 16) return 0;
  if (bitsOf[n] > 3) p = NULL;
  // CHECK-DAG: steps.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}
static int emptyGood(unsigned n, int *p) {
  if (n >= 8) return 0;
  if (bitsOf[n] > 3) p = NULL;
  return *p;
}
static int tableGood(unsigned n) {
  char five[5] = "1234";
  if (n >= 16) return 0;
  return five[(int)bitsOf[n]];
}
static int lowestGood(unsigned n) {
  char four[4] = "123";
  if (n < 2 || n >= 16) return 0;
  return four[bitsOf[n] - 1];
}
static int atLeastBad(unsigned n, int *p) {
  if (n < 1) return 0;
  if (n == 1) p = NULL;
  // CHECK-DAG: steps.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}
static int atLeastGood(unsigned n, int *p) {
  if (n < 2) return 0;
  if (n == 1) p = NULL;
  return *p;
}

// Each call of getopt sets optarg.
static int optionsBad(int argc, char **argv) {
  int sum = 0;
  char *level = NULL;
  for (int c; (c = getopt(argc, argv, "f::l:")) != -1;) switch (c) {
    case 'f': sum += optarg == NULL; break;
    case 'l': level = optarg; break;
    }
  // CHECK-DAG: steps.c:[[@LINE+1]]:{{.*}} null-dereference
  return sum + level[0];
}
static int optionsGood(int argc, char **argv) {
  int sum = 0;
  for (int c; (c = getopt(argc, argv, "f::l:")) != -1;) switch (c) {
    case 'f': sum += optarg == NULL; break;
    case 'l': sum += optarg[0]; break;
    }
  return sum;
}

// A call of one of many functions: none of them writes `isLoud`, one writes `isFast`.
static int isLoud, isFast;
static int first(int n) { return n; }
static int second(int n) { return n + 1; }
static int third(int n) { return n + 2; }
static int fourth(int n) { return isFast = n; }
static int (*const steps[])(int) = {first, second, third, fourth};
static int calledBad(unsigned n, int *p) {
  if (!isFast) p = NULL;
  int sum = steps[n % 4](3);
  // CHECK-DAG: steps.c:[[@LINE+1]]:{{.*}} null-dereference
  return isFast ? *p : sum;
}
static int calledGood(unsigned n, int *p) {
  if (!isLoud) p = NULL;
  int sum = steps[n % 4](3);
  return isLoud ? *p : sum;
}

// Four bytes that are equal to four letters need not be a text.
static int tagsBad(FILE *in) {
  char tags[12];
  if (!fgets(tags, sizeof tags, in)) return 0;
  // CHECK-DAG: steps.c:[[@LINE+1]]:{{.*}} out-of-bounds-read: {{.*}}behind a text
  return tags[1] == 'x' ? 0 : tags[2];
}
static int tagsGood(FILE *in) {
  char tags[12];
  if (fread(tags, 1, sizeof tags, in) != sizeof tags) return 0;
  if (strncmp(tags, "four", 4) == 0 && tags[4] != 'x') return tags[6];
  return 0;
}

int main(int argc, char **argv) {
  isLoud = argc > 5;
  int sum = masksGood(argc, &argc) + masksAgainGood(argc, &argc) + elementsGood() + pairsGood(argv[0]);
  sum += tableGood(argv[0][1]) + emptyGood(argv[0][1], &argc) + lowestGood(argv[0][2]) + atLeastGood(argv[0][3], &argc) + counted(argv[0]);
  sum += optionsGood(argc, argv) + calledGood(argc, &argc) + tagsGood(stdin);
  sum += masksBad(argv[1][0], &argc) + elementsBad() + pairsBad(argv[2]) + tableBad(argv[1][3], &argc) + atLeastBad(argv[1][4], &argc);
  return sum + optionsBad(argc, argv) + calledBad(argv[1][5], &argc) + tagsBad(stdin);
}
