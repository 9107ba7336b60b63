// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that one input unmaps is kept for the next one (runtime/native/keptmaps.c). New memory is zero all the same, what is no longer as mmap made it is not
// used again, and a use after unmapping is found.
// REQUIRES: afl-fuzz
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && mkdir seeds && printf abc > seeds/abc
// RUN: %fathom-cc -g -w %s -o right && %fathom-cc -g -w -DAFTER %s -o after
// RUN: env FATHOM_CACHE=cache %fathom fuzz right --corpus seeds --max-executions 400 --unit 100execs -o one --json -q | FileCheck %s
// CHECK: "executions": 400
// CHECK: "bugs": []
// RUN: env FATHOM_CACHE=cache %fathom fuzz right --corpus seeds --max-executions 400 --unit 100execs --sanitize undefined -o two --json -q | FileCheck %s
// RUN: env FATHOM_CACHE=cache %fathom fuzz after --corpus seeds --max-executions 3000 --unit 1000execs -o three | FileCheck %s --check-prefix=AFTER
// AFTER: bugs/000001
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
enum { kPage = 4096 };
static unsigned char *map(size_t pages) {
  unsigned char *at = mmap(0, pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) abort();
  for (size_t i = 0; i < pages * kPage; i += 64)
    if (*(uint64_t *)(at + i)) abort();
  memset(at, 0xa5, pages * kPage);
  return at;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
#ifdef AFTER
  unsigned char *used = map(9);
  munmap(used, 9 * kPage);
  if (size > 1 && data[0] == 'q') used[5] = 1;
  return 0;
#endif
  // Twice, so that the second ones are kept ones.
  for (int round = 0; round < 2; round++) {
    unsigned char *whole = map(2), *parts = map(3), *guarded = map(4), *moved = map(5), *large = map(65);
    munmap(whole, 2 * kPage);
    munmap(parts + kPage, kPage); // in three parts
    munmap(parts, kPage);
    munmap(parts + 2 * kPage, kPage);
    mprotect(guarded + kPage, kPage, PROT_NONE);
    munmap(guarded, 4 * kPage);
    moved = mremap(moved, 5 * kPage, 6 * kPage, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED || moved[5 * kPage - 1] != 0xa5 || moved[5 * kPage]) abort();
    munmap(moved, 6 * kPage);
    munmap(large, 65 * kPage);
    // Something else lies where memory was.
    unsigned char *under = map(7);
    if (mmap(under, 7 * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != under) abort();
    munmap(under, 7 * kPage);
    munmap(map(7), 7 * kPage);
  }
  // What was unmapped may be unmapped again, and its place taken by something else.
  unsigned char *gone = map(3), *taken = map(3);
  munmap(gone, 3 * kPage);
  munmap(gone, 3 * kPage);
  munmap(taken, 3 * kPage);
  if (mmap(taken, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != taken) abort();
  taken[0] = 7;
  unsigned char *other = map(3);
  if (other == taken || taken[0] != 7) abort();
  munmap(other, 3 * kPage);
  munmap(taken, 3 * kPage);
  unsigned *zeros[40];
  for (int i = 0; i < 40; i++) {
    const size_t count = 300 * (1 + i);
    zeros[i] = calloc(count, 4);
    for (size_t k = 0; k < count; k += 50)
      if (zeros[i][k]) abort();
    memset(zeros[i], 0xff, count * 4);
  }
  for (int i = 0; i < 40; i++) free(zeros[i]);
  return size > 2 && data[1] == 'b' && data[2] == 'c';
}
