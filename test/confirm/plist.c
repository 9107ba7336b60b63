// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Property lists of clang's analyzer, from one file and across translation units; both name the same defect of two files.
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cp %s %t.dir/one.c && cp %S/Inputs/release.c %t.dir/two.c
// RUN: %fathom-cc -g %t.dir/one.c %t.dir/two.c -o %t.dir/p
// RUN: cd %t.dir && clang-19 -w --analyze --analyzer-output plist one.c -o one.plist 2>/dev/null
// RUN: %fathom confirm %t.dir/p --reports %t.dir/one.plist --no-cache | FileCheck %s --check-prefix=ONE
// ONE: one.c:{{[0-9]+}}:{{[0-9]+}}: confirmed: core.NullDereference
// ONE-NEXT: feasible from main
// ONE: 1 report: 1 confirmed, 0 refuted, 0 open
// RUN: cd %t.dir && clang-extdef-mapping-19 two.c -- -c 2>/dev/null | sed -e "s, [^ ]*two.c, two.c.ast," > externalDefMap.txt
// RUN: cd %t.dir && clang-19 -w -emit-ast two.c -o two.c.ast
// RUN: cd %t.dir && clang-19 -w --analyze --analyzer-output plist-multi-file one.c -o ctu.plist -Xclang -analyzer-config -Xclang experimental-enable-naive-ctu-analysis=true,ctu-dir=. 2>/dev/null
// RUN: grep two.c %t.dir/ctu.plist
// RUN: %fathom confirm %t.dir/p --reports %t.dir/ctu.plist --only=unix.Malloc --no-cache | FileCheck %s --check-prefix=CTU
// CTU: one.c:{{[0-9]+}}:{{[0-9]+}}: confirmed: unix.Malloc: Use of memory after it is freed
// CTU: {{.*}} = *box;
// CTU-NEXT: {{ }}^
// CTU: freed in release at {{.*}}two.c:3
// CTU: 1 report: 1 confirmed, 0 refuted, 0 open
#include <stdlib.h>
void release(int *box);
int alone(int which) {
  int *none = NULL;
  return which > 3 ? *none : which;
}
int across(int which) {
  int *box = malloc(sizeof *box);
  if (!box) return 0;
  *box = which;
  release(box);
  int out = *box;
  return out;
}
int main(int argc, char **argv) { return alone(argc) + across(argc); }
