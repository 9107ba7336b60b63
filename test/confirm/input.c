// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that reads standard input: searches from functions have an empty one, and one from main has what the options describe. What is said is what was assumed.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c null-dereference r.sarif "SIX=null is stored" "SEVEN=null is stored"
// RUN: %fathom confirm p --reports r.sarif --no-cache --sym-stdin 6 | FileCheck %s --check-prefix=GIVEN
// GIVEN: {{^}}p.c:[[#]]: confirmed: null-dereference: SIX
// GIVEN-NEXT: feasible from main with an input, natively reproduced: signal SIGSEGV
// GIVEN: {{^}}    where standard input = "{{.....*}}x"{{$}}
// GIVEN: in main at p.c:[[#]]
// GIVEN: {{^}}p.c:[[#]]: open: null-dereference: SEVEN
// GIVEN-NEXT: {{.*}} from main {{shows|does not show}} it, but files and standard input are empty there; {{.*}} from main with --sym-stdin 6 {{shows|does not show}} it
// GIVEN-NEXT: would settle it: more symbolic input
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 0 -- | FileCheck %s --check-prefix=NONE
// NONE: open: null-dereference: SIX
// NONE-NEXT: {{.*}}files and standard input are empty there; the time for callers ran out (--callers-time)
// Empty and zero bytes are told, and the forms are in --help.
// RUN: %fathom confirm --help | FileCheck %s --check-prefix=HELP
// HELP: --sym-args MIN MAX LEN
// HELP: --sym-stdin N
// HELP: --sym-files COUNT SIZE
#include <stdio.h>
#include <stddef.h>
int main(void) {
  char text[8];
  int value = 1, *p = &value, *q = &value;
  size_t n = fread(text, 1, sizeof text, stdin);
  if (n == 6 && text[5] == 'x')
    p = NULL; // SIX: source
  if (n == 7)
    q = NULL; // SEVEN: source
  n += *p; // SIX
  return *q + (int)n; // SEVEN
}
