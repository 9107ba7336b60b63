// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g -w %s -o %t.whole -DWHOLE
// RUN: %fathom-cc -g -w %s -o %t.printed
// RUN: %explore %t.whole %t.strict bugs= ledger\<8 statuses=0,1,2,3,4 external_calls\>0 -- --solver-timeout 60s --external defer-strict --external-functions strcmp,strchr
// RUN: %fathom replay %t.whole %t.strict.out | FileCheck --check-prefix=STRICT %s
// RUN: %explore %t.printed %t.feasible bugs=assertion ledger\<8 -- --solver-timeout 60s --external defer-strict --external-functions strcmp,strchr
// RUN: %fathom replay %t.printed %t.feasible.out | FileCheck --check-prefix=FEASIBLE %s
// RUN: rm -rf %t.seeds && mkdir %t.seeds && python3 %S/Inputs/ktest.py %t.seeds/q.ktest arg -q
// RUN: %explore %t.whole %t.concrete bugs= ledger=bug-unconfirmed,external-call -- --seeds %t.seeds --external concretize --external-functions strcmp,strchr
// RUN: %explore %t.whole %t.symbolic bugs=assertion,assertion ledger=external-call -- --external symbolic-return --external-functions strcmp,strchr
//
// Listing 1 of "Deferred Concretization in Symbolic Execution via Fuzzing" (ISSTA 2019): strcmp and strchr are external. Whatever the
// results are, all that can happen is found, and nothing else; with `concretize` the first assertion fails for an input that never
// gets there, which is found out, with `symbolic-return` both do. As printed in the paper its last condition leaves out what "--" and "-:" give: then the
// second assertion can fail, and the input shows it.
// STRICT: branch traces{{ +}}all {{[0-9]+}} agree
// FEASIBLE: branch traces{{ +}}all {{[0-9]+}} agree
// FEASIBLE: 1 of 1 reproduce
#include <assert.h>
#include <fathom.h>
#include <string.h>

static int options(char *arg, const char *optstring) {
  int ch = -1;
  if (arg[0] == '-') {
    int r = strcmp(arg, "--");
    if (r == 0)
      ch = '?';
    if (strcmp(arg, "-") == 0) {
      ch = '-';
      return ch;
    }
    if (arg[1] == '\0') // sanity check
      assert(0);
    char *e = strchr(optstring, arg[1]);
    if (e != NULL)
      ch = e[0];
  }
  return ch;
}

int main(void) {
  char arg[4];
  fathom_string(arg, sizeof arg, "arg");
  int optc = options(arg, "b:c");
  int status = 0;
  if (optc != -1) {
    switch (optc) {
    case 'b': status = 1; break;
    case 'c': status = 2; break;
    case '-': status = 3; break;
    default: status = 4;
    }
    // Yet another sanity check
#ifdef WHOLE
    if (optc != 'b' && optc != 'c' && optc != '-' && optc != '?' && optc != ':')
#else
    if (optc != 'b' && optc != 'c' && optc != '-')
#endif
      assert(0);
  }
  return status;
}
