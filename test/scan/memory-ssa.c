// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory SSA: a store to the only object is strong, one to several is not; versions meet in phis; calls write what callees write.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --print memory-ssa:work | FileCheck %s
// RUN: %fathom scan %t --print value-flow:work | FileCheck %s --check-prefix=FLOW
// RUN: %fathom scan %t --print summaries:work | FileCheck %s --check-prefix=SUMMARY
// SUMMARY: may write {a, b}
// SUMMARY-NEXT: may read {a, where}
// SUMMARY-NEXT: parameter 0 -> returned, a
// SUMMARY-NEXT: b -> b
// SUMMARY-NOT: where ->
static int a, b;
static int *where;

static void set(int v) { a = v; }

// CHECK-LABEL: work (memory-ssa.c
int work(int c) {
  // CHECK: memory-ssa.c:[[#@LINE+2]]: store
  // CHECK-NEXT: a#[[#ONE:]] := strong chi(a#{{0|1|2}})
  a = c;
  // FLOW: work parameter 0 -> work@memory-ssa.c:[[#@LINE-1]] chi a#[[#ONE:]]
  // CHECK: memory-ssa.c:[[#@LINE+2]]: call
  // CHECK: a#[[#TWO:]] := chi(a#[[#ONE]])
  if (c > 3) set(c + 1);
  // FLOW: work@memory-ssa.c:[[#@LINE-1]] %{{[0-9]+}} arithmetic -> set parameter 0 [call at memory-ssa.c:[[#@LINE-1]]]
  // CHECK: a#[[#PHI:]] := phi({{.*}}a#
  // CHECK: memory-ssa.c:[[#@LINE+3]]: store
  // CHECK-NEXT: a#{{[0-9]+}} := chi(a#[[#PHI]])
  // CHECK-NEXT: b#{{[0-9]+}} := chi(b#{{[0-9]+}})
  *where = 7;
  // CHECK: memory-ssa.c:[[#@LINE+1]]: load
  return a;
  // CHECK: exit: a#
}

int main(int argc, char **argv) {
  where = argc > 1 ? &a : &b;
  return work(argc);
}
