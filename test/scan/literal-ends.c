// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text that is a constant ends where it does, whatever calls may have done to what they got: a walk through it that looks for its end
// stays inside, also of a text of no characters. One that does not look for it leaves it.
// RUN: %fathom-cc -g -w -o %t %s
// RUN: %fathom scan %t --kinds out-of-bounds-read,out-of-bounds-write > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 1 report: 1 out-of-bounds-read
#include <stdio.h>
#include <string.h>

// Recursive calls are not followed: they may do anything to what they get.
static int matches(int n, const char *text) { return n > 0 ? matches(n - 1, text) + *text : n; }

int wordsOk(int n, char *given) {
  char *at = n > 9 ? given : NULL, *blank;
  int sum = 0;
  if (!at) at = "";
  sum += matches(n, "write-devices") + matches(n, at);
  while (1) {
    while (*at == ' ') at++;
    if (!*at) break;
    if ((blank = strchr(at, ' ')) != NULL) *blank = '\0';
    sum += matches(n, at);
    if (!blank) break;
    *blank = ' ';
    at = blank + 1;
  }
  return sum;
}

int secondBad(int n, char *given) {
  const char *at = n > 2 ? given : "";
  matches(n, at);
  // CHECK: literal-ends.c:[[#@LINE+1]]:{{.*}} out-of-bounds-read: read of 1 byte at offset 1 of an object of 1 byte
  return at[1] == 'x';
}

int main(int argc, char **argv) {
  return argc > 5 ? wordsOk(argc, argv[1]) : secondBad(argc, argv[1]);
}
