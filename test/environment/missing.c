// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program asks for and does not find is an assumption of the answer, and the summary names it; where it is in the folder in which
// fathom was started, it says so.
// RUN: rm -rf %t.dir && mkdir -p %t.dir/share && echo a > %t.dir/share/names && %fathom-cc -g %s -o %t.dir/program
// RUN: cd %t.dir && %fathom explore program -o out --sym-arg 1 | FileCheck %s
// CHECK: all paths under these inputs and this model of the environment were explored
// CHECK: assumption: the program asked for /nowhere/at/all, share/names (it is in {{.*}}.dir, but the program starts in a folder of its own), and found nothing there
// RUN: FileCheck %s --check-prefix=LEDGER < %t.dir/out/ledger.json
// LEDGER: "complete": true
// LEDGER-DAG: "category": "missing-file"
// LEDGER-DAG: "detail": "/nowhere/at/all"
// A file that is created, one that is removed, and a name that the input decides are not missing.
// RUN: cd %t.dir && %fathom explore program -o named -q --sym-arg 1 && %fathom explore %t.dir/program -o found -q && not grep share found/ledger.json
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
int main(int argc, char **argv) {
  struct stat unused;
  FILE *made = fopen("made", "w");
  if (made) fclose(made);
  remove("none");
  if (argc > 1 && fopen(argv[1], "r")) return 3;
  if (!stat("/nowhere/at/all", &unused)) return 2;
  FILE *names = fopen("share/names", "r");
  if (!names) return 1;
  fclose(names);
  return 0;
}
