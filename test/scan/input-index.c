// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of the input that index arrays: reported where the array may have fewer elements than a
// byte has values and nothing compares the byte (bad...); not in the correct twins (good...).
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 3 reports: 2 out-of-bounds-read, 1 out-of-bounds-write
#include <stdio.h>
#include <stdlib.h>

struct color {
  unsigned char red, green, blue;
};
struct map {
  int count;
  struct color *colors;
};

static struct map *readMap(FILE *file) {
  struct map *map = malloc(sizeof *map);
  if (!map) exit(1);
  const int bits = getc(file);
  map->count = 1 << ((bits & 7) + 1);
  map->colors = calloc(map->count, sizeof *map->colors);
  if (!map->colors) exit(1);
  for (int i = 0; i < map->count; i++) map->colors[i].red = getc(file) & 255;
  return map;
}

static void badPixels(const struct map *map, const unsigned char *row, int n) {
  for (int i = 0; i < n; i++)
    // CHECK-DAG: input-index.c:[[# @LINE + 1]]:{{[0-9]+}}: out-of-bounds-read: read of 1 byte at offset up to 765 of a block that may be smaller: a byte of the input is the index, and nothing compares it
    putchar(map->colors[row[i]].red);
}
static void goodPixels(const struct map *map, const unsigned char *row, int n) {
  for (int i = 0; i < n; i++)
    if (row[i] < map->count) putchar(map->colors[row[i]].red);
}

static const char kLevels[16] = "0123456789abcde";
static void badLevel(const unsigned char *row) {
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: out-of-bounds-read: read of 1 byte at offset up to 255 of an object of 16 bytes
  putchar(kLevels[row[1]]);
}
static void goodLevel(const unsigned char *row) {
  putchar(kLevels[row[1] & 15]);
  putchar(kLevels[row[2] >> 4]);
}
static void goodSwitch(const unsigned char *row) {
  switch (row[3]) {
  case 1:
  case 2: putchar(kLevels[row[3]]);
  }
}

static unsigned counts[128], every[256];
static void badCount(const unsigned char *row) {
  // One element, one report.
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: out-of-bounds-write: write of 4 bytes at offset up to 1020 of an object of 512 bytes
  counts[row[4]]++;
}
static void goodCount(const unsigned char *row) { every[row[4]]++; }

/// What the program itself writes is no input.
static void goodOwn(void) {
  unsigned char own[4];
  for (int i = 0; i < 4; i++) own[i] = (unsigned char)i;
  for (int i = 0; i < 4; i++) putchar(kLevels[own[i]]);
}

int main(void) {
  struct map *map = readMap(stdin);
  unsigned char row[16];
  if (fread(row, 1, sizeof row, stdin) != sizeof row) exit(1);
  badPixels(map, row, 16);
  goodPixels(map, row, 16);
  badLevel(row);
  goodLevel(row);
  goodSwitch(row);
  badCount(row);
  goodCount(row);
  goodOwn();
  printf("%u %u\n", counts[0], every[0]);
  free(map->colors);
  free(map);
  return 0;
}
