// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An overflow in a function that a line calls is no proof of a report of fathom scan that the line itself overflows something.
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s called-line.c && %fathom-cc -g called-line.c -o p
// RUN: cd %t && %fathom scan p --no-cache --kinds out-of-bounds-write --sarif in.sarif
// RUN: cd %t && %fathom confirm p --reports in.sarif --no-cache | FileCheck %s --check-prefix=INSIDE
// INSIDE: called-line.c:17:{{[0-9]+}}: confirmed
// RUN: cd %t && sed 's/"startLine": *17/"startLine": 25/' in.sarif > call.sarif
// RUN: cd %t && %fathom confirm p --reports call.sarif --no-cache | FileCheck %s --check-prefix=CALL
// CALL: called-line.c:25:{{[0-9]+}}: {{open|refuted}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *copied(const char *text) {
  const size_t length = strlen(text);
  char *out = malloc(length);
  if (!out) exit(1);
  out[length] = 0;
  return out;
}
int main(void) {
  char *all[4], line[8];
  int count = 0;
  while (count < 4 && fgets(line, sizeof line, stdin)) {
    // The call and the store are on one line.
    all[count++] = copied(line);
  }
  while (count > 0) free(all[--count]);
  return 0;
}
