// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A budget that is over at once: what there is, marked as partial, and the exit status of a complete run.
// RUN: %fathom scan --no-cache %s --print points-to --max-time 1ms 2> %t.err | FileCheck %s --check-prefix=TIME
// RUN: FileCheck %s --check-prefix=TIME < %t.err
// RUN: %fathom scan --no-cache %s --print summaries:main --max-memory 1M 2> /dev/null | FileCheck %s --check-prefix=MEMORY
// RUN: %fathom scan --no-cache %s --assertions --max-time 1ms 2> %t.err | FileCheck %s --check-prefix=VERDICTS
// RUN: FileCheck %s --check-prefix=LIMIT < %t.err
// RUN: %fathom scan --no-cache %s --assertions --max-time 1ms --json 2> /dev/null | FileCheck %s --check-prefix=JSON
// RUN: %fathom scan --no-cache %s --assertions --json | FileCheck %s --check-prefix=COMPLETE
// RUN: %fathom scan --all --no-cache %s --max-time 1ms 2> %t.err | FileCheck %s --check-prefix=REPORTS
// RUN: FileCheck %s --check-prefix=NOTE < %t.err
// RUN: not %fathom scan --all --no-cache %s --max-memory lots 2>&1 | FileCheck %s --check-prefix=SIZE
// REPORTS: partial result: --max-time 1ms ended the analysis (
// NOTE: ({{.*}}): no checker ran, so there are no reports
// TIME: partial result: --max-time 1ms ended the analysis (
// MEMORY: partial result: --max-memory 1M ended the analysis (
// VERDICTS: partial result: 0 of 1 function were analysed
// VERDICTS: alarm: assertion 'argc == argc + 0' may fail
// LIMIT: --max-time 1ms: partial result
// JSON: "verdict": "alarm"
// JSON: "partial": true
// COMPLETE: "verdict": "proved"
// COMPLETE: "partial": false
// SIZE: --max-memory lots: expected a size such as 512M or 4G
#include <assert.h>
int main(int argc, char **argv) {
  assert(argc == argc + 0);
  return 0;
}
