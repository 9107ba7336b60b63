// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two analysers and one of them twice: one question, and every report gets the verdict. The order of the reports stays.
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cp %s %t.dir/p.c && %fathom-cc -g %t.dir/p.c -o %t.dir/p
// RUN: cd %t.dir && clang-19 -w --analyze --analyzer-output sarif p.c -o clang.sarif 2>/dev/null && cp clang.sarif again.sarif
// RUN: cd %t.dir && gcc -fanalyzer -fdiagnostics-format=json -c p.c -o p.o 2> gcc.json
// RUN: %fathom confirm %t.dir/p --reports %t.dir/clang.sarif --reports %t.dir/again.sarif --reports %t.dir/gcc.json --only p.c --no-cache --sarif %t.dir/out.sarif | FileCheck %s
// CHECK: p.c:[[#]]:[[#]]: confirmed: core.NullDereference
// CHECK-NEXT: feasible from main
// CHECK: p.c:[[#]]:[[#]]: confirmed: core.NullDereference
// CHECK-NEXT: as {{.*}}p.c:[[#]]:[[#]]: core.NullDereference (clang)
// CHECK: p.c:[[#]]:[[#]]: confirmed: -Wanalyzer-null-dereference
// CHECK-NEXT: as {{.*}}p.c:[[#]]:[[#]]: core.NullDereference (clang)
// CHECK: 3 reports: 3 confirmed, 0 refuted, 0 open
// CHECK-NEXT: 1 distinct report (the others report the same)
// CHECK-NEXT: 3 confirmed reports end at 1 place
// RUN: python3 %S/../scan/Inputs/check-sarif.py %t.dir/out.sarif --verdicts | FileCheck %s --check-prefix=SARIF
// SARIF: 1 results, none 1; 1 confirmed
// SARIF: 1 results, none 1; 1 confirmed
// SARIF: 1 results, none 1; 1 confirmed
// A folder stands for its files.
// RUN: %fathom confirm %t.dir/p --reports %t.dir --only p.c --json -q --no-cache | FileCheck %s --check-prefix=FOLDER
// FOLDER: "asked":1{{.*}}"confirmed":4
int f(int c) {
  int *p = 0;
  if (c > 5)
    return *p;
  return 0;
}
int main(int argc, char **argv) { return f(argc); }
