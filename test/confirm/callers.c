// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A path that begins at a function is followed to its callers, and from main to an input that is run natively.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s null-dereference %t.dir/p.sarif LENGTH NAMED UNUSED NEVER TWICE GIVEN
// RUN: %fathom confirm p --reports p.sarif -o out --sarif verdicts.sarif > said -- --sym-arg 2
// RUN: FileCheck %s < said
// What the reports come to comes first, then what is shown, and last what is refuted.
// CHECK: {{^}}2 of 6 reports are confirmed: the program itself shows them. 2 possible, 1 open, 1 refuted.{{$}}
// CHECK: confirmed: null-dereference: LENGTH
// CHECK-NEXT: feasible from main with an input (out/bugs/00000{{[1-9]}}), natively reproduced: signal SIGSEGV
// What one call leaves behind is used by the next one.
// CHECK: confirmed: null-dereference: TWICE
// CHECK-NEXT: feasible from main with an input (out/bugs/00000{{[1-9]}}), natively reproduced: signal SIGSEGV
// The function can be called with null, but is not.
// CHECK: possible: null-dereference: NAMED
// CHECK-NEXT: feasible from named for some arguments; not shown from its callers:
// CHECK: possible: null-dereference: UNUSED
// CHECK-NEXT: feasible from unused for some arguments; not shown from its callers: nothing in the program calls unused
// A null pointer of callers is none of the function: whether they give one shows no path from its start.
// CHECK: open: null-dereference: GIVEN
// CHECK-NEXT: feasible from given for some arguments and memory; whether callers make that possible is open: nothing in the program calls given
// CHECK: {{^}}    assumed: s, the program's variables can have any value; a pointer among them that the path uses is valid, and points to an object of its own
// CHECK: refuted: null-dereference: NEVER
// CHECK-NEXT: no run of never, whoever calls it, shows it (one question about
// CHECK: 6 reports: 2 confirmed, 2 possible, 1 refuted, 1 open
// RUN: sh %S/../cli/Inputs/fails.sh 139 sh out/bugs/000001/replay.sh 2>&1 | FileCheck %s --check-prefix=REPLAY
// REPLAY: exit status 139
// RUN: %fathom replay p out | FileCheck %s --check-prefix=AGAIN
// AGAIN: 2 of 2
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom confirm p --reports p.sarif -o out 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: out: holds the results of an earlier run
// Without following: the function is all that is said.
// RUN: %fathom confirm p --reports p.sarif --callers-time 0 --json -q | FileCheck %s --check-prefix=ALONE
// ALONE: "feasible_from":"length"
// ALONE: "reason":"feasible from named for some arguments; callers not searched: --callers-time 0"
// ALONE: "message":"GIVEN"{{.*}}"reason":"feasible from given for some arguments and memory; callers not searched: --callers-time 0"{{.*}}"verdict":"possible"
// Where a path begins tells whether it is a finding of the program. SARIF has it, too.
// RUN: FileCheck %s --check-prefix=FROM < verdicts.sarif
// FROM: "feasibleFrom": "main"
// FROM: "feasibleFrom": "named"
// RUN: python3 %S/Inputs/report.py %s null-dereference inner.sarif NAMED UNUSED
// RUN: %fathom confirm p --reports inner.sarif -q --fail-on-findings
// RUN: sh %S/../cli/Inputs/fails.sh 1 %fathom confirm p --reports inner.sarif -q --fail-on-findings=possible
// RUN: sh %S/../cli/Inputs/fails.sh 1 %fathom confirm p --reports p.sarif -q --fail-on-findings
// RUN: sh %S/../cli/Inputs/fails.sh 1 %fathom confirm p --reports inner.sarif -q --fail-on-findings=all
// RUN: %fathom confirm p --reports inner.sarif -q --fail-on-findings=main
// RUN: echo 'fail-on-findings = true' > fails.toml
// RUN: sh %S/../cli/Inputs/fails.sh 1 %fathom confirm p --reports p.sarif -q --config fails.toml
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom confirm p --reports inner.sarif -q --fail-on-findings=some 2>&1 | FileCheck %s --check-prefix=SOME
// SOME: --fail-on-findings=some: expected confirmed or possible
#include <string.h>
static int length(const char *s) {
  if (!s) s = 0;
  return *s; // LENGTH
}
static int named(const char *s) {
  const char *none = NULL;
  if (s) return 1;
  return *none; // NAMED
}
int unused(const char *s) {
  const char *none = NULL;
  if (s) return 1;
  return *none; // UNUSED
}
int given(const char *s) {
  if (s) return 1;
  return *s; // GIVEN
}
struct pair { int *first, *second; };
static int never(struct pair *p) {
  if (p->first) return *p->first;
  if (p->second) return 1;
  return *p->second; // NEVER
}
static int calls_never(void) {
  int two = 2;
  struct pair both = {0, &two};
  return never(&both);
}
static int *last;
static int twice(int *value) {
  int is = *last; // TWICE
  last = value;
  return is;
}
int main(int argc, char **argv) {
  int one = 1;
  last = &one;
  if (argc > 1 && argv[1][0] == 'x') return length(0);
  if (argc > 1 && argv[1][0] == 'y') {
    twice(0);
    return twice(&one);
  }
  for (int i = 0; i < argc; i++)
    if (strlen(argv[i]) > 100) return named(argv[i]);
  return calls_never();
}
