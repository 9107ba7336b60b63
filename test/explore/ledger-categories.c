// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bindir/fathom-cc %s -o %t
// RUN: %bindir/fathom explore %t -o %t.out --force --quiet
// RUN: FileCheck %s < %t.out/ledger.json
// Entries that a program adds itself (fathom/abi.h) have a category of the ledger; what is none of them, or none that a program may
// use, goes on in the words of the program.
#include <fathom/abi.h>

int main(void) {
  __fathom_ledger("process", "of the model");
  __fathom_ledger("decides", "of confirm");
  __fathom_ledger("mine", "of the program");
}
// CHECK: "category": "environment"
// CHECK: "detail": "decides: of confirm"
// CHECK: "category": "environment"
// CHECK: "detail": "mine: of the program"
// CHECK: "category": "process"
// CHECK: "detail": "of the model"
