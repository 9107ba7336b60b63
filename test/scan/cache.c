// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second run of an unchanged program is answered by the first one: the same output and exit status. Changed code, other options and partial
// results are not.
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/p.c
// RUN: env FATHOM_CACHE=%t/cache not %fathom scan %t/p.c --assertions --fail-on-findings > %t/first
// RUN: env FATHOM_CACHE=%t/cache not %fathom scan %t/p.c --assertions --fail-on-findings > %t/second
// RUN: cmp %t/first %t/second && FileCheck %s < %t/second
// RUN: ls %t/cache/scan | wc -l | FileCheck %s --check-prefix=ONE
// RUN: env FATHOM_CACHE=%t/cache %fathom scan %t/p.c --assertions -v 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: env FATHOM_CACHE=%t/cache %fathom scan %t/p.c --assertions -v 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: env FATHOM_CACHE=%t/cache %fathom scan %t/p.c --assertions -v --no-cache 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: sed -i 's/argc != 3/argc != 4/' %t/p.c
// RUN: env FATHOM_CACHE=%t/cache %fathom scan %t/p.c --assertions -v 2>&1 | FileCheck %s --check-prefix=CHANGED
// RUN: env FATHOM_CACHE=%t/cache %fathom scan %t/p.c --print points-to --max-time 1ms > /dev/null 2>&1
// RUN: env FATHOM_CACHE=%t/cache %fathom scan %t/p.c --print points-to -v 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: ls %t/cache/scan | wc -l | FileCheck %s --check-prefix=FOUR
// CHECK: alarm: assertion 'argc != 3' may fail
// ONE: {{^}}1{{$}}
// FOUR: {{^}}4{{$}}
// NEW-NOT: unchanged:
// OLD: unchanged: the answer is that of an earlier run
// OLD: alarm: assertion 'argc != 3' may fail
// CHANGED-NOT: unchanged:
// CHANGED: alarm: assertion 'argc != 4' may fail
#include <assert.h>
int main(int argc, char **argv) {
  assert(argc != 3);
  return 0;
}
