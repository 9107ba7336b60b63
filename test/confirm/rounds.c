// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In rounds no report takes the time alone: each gets a short try, and a longer one if it stays open. The first of these never end.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference r.sarif FAR1 FAR2 FAR3 SHOWN WRONG AGAIN
// RUN: env FATHOM_CACHE=cache %fathom confirm p --reports r.sarif --report-time 60s --rounds 1 --json -q > one.json
// RUN: python3 %S/Inputs/verdicts.py one.json FAR1=open:budget FAR2=open:budget FAR3=open:budget SHOWN=confirmed WRONG=refuted AGAIN=confirmed
// RUN: FileCheck %s --check-prefix=ASKED < one.json
// ASKED: "asked":6
// ASKED: its part of the time for all reports ran out, 0.5 s (--rounds)
// The same command continues: what is settled is not asked again, and what is open gets more than it had.
// RUN: env FATHOM_CACHE=cache %fathom confirm p --reports r.sarif --report-time 60s --rounds 1 --resume --json -q > two.json
// RUN: FileCheck %s --check-prefix=ON < two.json
// ON: "confirmed":2,{{.*}}"cut":{"budget":3},{{.*}}"kept":{{[1-3]}},
// ON: its part of the time for all reports ran out, 2 s (--rounds)
// RUN: %fathom confirm p --reports r.sarif --report-time 60s --rounds 1 --jobs 2 --no-cache --json -q > both.json
// RUN: python3 %S/Inputs/verdicts.py both.json FAR1=open:budget SHOWN=confirmed WRONG=refuted AGAIN=confirmed
// A time for all reports is shared among them. Progress tells the round.
// RUN: env TERM=xterm python3 %S/Inputs/terminal.py %bindir/fathom confirm p --reports r.sarif --report-time 60s --max-time 90s --rounds 1 --no-cache | FileCheck %s --check-prefix=ROUND
// ROUND: p: round 1 ({{[0-9.]+}} s each): report {{[0-9]}} of 6: {{[0-9]}} confirmed, {{[0-9]}} possible, {{[0-9]}} refuted
#include <stdlib.h>
#define FAR(name)                                                                                  \
  static unsigned name(const char *text) {                                                         \
    unsigned sum = 0;                                                                              \
    for (int i = 0; i < 400; i++)                                                                  \
      if (text[i] > 'a') sum = sum * 31 + i;                                                       \
    return sum;                                                                                    \
  }
FAR(one)
FAR(two)
FAR(three)
int far1(const char *text, int n) {
  int *p = &n;
  if (one(text) == 123456789)
    p = NULL;
  return *p; // FAR1
}
int far2(const char *text, int n) {
  int *p = &n;
  if (two(text) == 123456789)
    p = NULL;
  return *p; // FAR2
}
int far3(const char *text, int n) {
  int *p = &n;
  if (three(text) == 123456789)
    p = NULL;
  return *p; // FAR3
}
int shown(int n) {
  int *p = &n;
  if (n == 77)
    p = NULL; // SHOWN: source
  n++;
  n++;
  return *p; // SHOWN
}
int wrong(int n) {
  int *p = &n;
  if (n == 77)
    p = NULL; // WRONG: source
  if (n == 77)
    return 0;
  return *p; // WRONG
}
int again(int n) {
  int *p = &n;
  if (n == 78)
    p = NULL; // AGAIN: source
  n++;
  n++;
  return *p; // AGAIN
}
int main(int argc, char **argv) {
  return shown(argc) + wrong(argc) + again(argc) + far1(argv[0], argc) + far2(argv[0], argc) + far3(argv[0], argc);
}
