// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t.untried --cc=-DWRAPPED paths_completed=1 statuses=0 ledger=allocation-failure
// RUN: FileCheck %s --check-prefix=UNTRIED <%t.untried.out/ledger.json
// UNTRIED: "complete": true
// UNTRIED: "category": "allocation-failure"
// RUN: %fathom explore %t.untried.program -o %t.again --force --check-leaks=0 2>&1 | FileCheck %s --check-prefix=SUMMARY
// SUMMARY: nothing was symbolic: this was one run on one input; make input symbolic with --sym-stdin N, --sym-args MIN MAX LEN, --sym-files COUNT SIZE, or in the program itself (fathom.h); --entry FUNCTION explores one function with symbolic parameters
// SUMMARY: assumption: {{[1-9][0-9]*}} failing allocations were not explored (--fail-allocations)
// RUN: %explore %s %t.none --cc=-DNONE paths_completed=1 ledger=0
// RUN: %explore %s %t paths_completed=10 statuses=0,1,2,3,4,5,6,7,8,9 ledger=environment,threads -- --fail-allocations --check-leaks=0
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces all 10 agree
// CHECK: exit status   all 10 agree
// CHECK: stdout        all 10 agree
// RUN: python3 %scripts/testfolders.py %t.out %t.tests
// RUN: cat %t.tests/*/args.json | FileCheck %s --check-prefix=RECORD
// RECORD: "failed_allocations": [
//
// RUN: %explore %s %t.jobs paths_completed=10 statuses=0,1,2,3,4,5,6,7,8,9 ledger=environment,threads -- --fail-allocations --check-leaks=0 --jobs 2
// RUN: %explore %s %t.bug --cc=-DUNCHECKED paths_completed=1 bugs=null-dereference:61 -- --fail-allocations
// RUN: %fathom replay %t.bug.program %t.bug.out | FileCheck %s --check-prefix=BUG
// BUG: bugs          1 of 1 reproduce
// RUN: sh %S/../cli/Inputs/fails.sh 2 sh %t.bug.out/bugs/000001/replay.sh 2>&1 | FileCheck %s --check-prefix=SCRIPT
// SCRIPT-NOT: replay.sh: {{exit status|no crash}}
// SCRIPT: replay.sh: not run: this bug needs an allocation that fails, which it would not do here; to reproduce the bug: fathom replay '{{.*}}.bug.program' '{{.*}}.bug.out/bugs/000001'
// SCRIPT-NOT: replay.sh:
// The command that it names:
// RUN: %fathom replay %t.bug.program %t.bug.out/bugs/000001 | FileCheck %s --check-prefix=BUG
// RUN: %fathom replay %t.program %t.out --binary %t.program | FileCheck %s --check-prefix=BINARY
// BINARY: exit status   all 1 agree
// BINARY: lets allocations fail, which only the trace variant does
//
// RUN: %explore %s %t.entry --cc=-DUNCHECKED bugs=null-dereference:61 -- --entry unchecked
// RUN: sh %S/../cli/Inputs/fails.sh 2 sh %t.entry.out/bugs/000001/replay.sh 2>&1 | FileCheck %s --check-prefix=MAIN
// MAIN: replay.sh: not run: this bug was found with --entry unchecked, but a native run starts at main; call unchecked in a main of your own (fathom.h), explore that with --fail-allocations, and replay its bug
// RUN: %explore %s %t.entry0 --cc=-DUNCHECKED bugs= ledger=allocation-failure -- --entry unchecked --fail-allocations=0
// RUN: %explore %s %t.wrapped --cc=-DWRAPPED paths_completed=3 statuses=0,1 -- --fail-allocations
// RUN: %fathom replay %t.wrapped.program %t.wrapped.out | FileCheck %s --check-prefix=WRAPPED
// WRAPPED: branch traces all 3 agree
// WRAPPED: exit status   all 3 agree
//
// Each allocation may fail: those of the program and of libc on its behalf, with ENOMEM, and a block that could not grow is still there. A test says
// which of them failed, and they fail natively, too.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int failed(const void *block) { return !block && errno == ENOMEM; }

#ifdef NONE
int main(void) { return 0; }
#elif defined UNCHECKED
int unchecked(void) {
  int *p = malloc(sizeof *p);
  *p = 1; // the bug
  free(p);
  return 0;
}
int main(void) { return unchecked(); }
#elif defined WRAPPED
static void *xmalloc(size_t bytes) {
  void *p = malloc(bytes);
  if (p) return p;
  fputs("out of memory\n", stderr);
  exit(1);
}
int main(void) {
  char *a = xmalloc(8), *b = xmalloc(8);
  free(a);
  free(b);
  return 0;
}
#else
static void *thread(void *status) { return status; }

int main(void) {
  errno = 0;
  char *a = malloc(8);
  if (failed(a)) return 1;
  strcpy(a, "abc");
  char *b = calloc(2, 4);
  if (failed(b)) return 2;
  char *c = realloc(a, 100);
  if (failed(c)) return puts(a) >= 0 ? 3 : 99; // the old one is as it was
  char *d = aligned_alloc(64, 64);
  if (failed(d)) return 4;
  void *e = a;
  int error = posix_memalign(&e, 64, 64);
  if (error == ENOMEM) return errno == 0 ? 5 : 99;
  char *f = strdup(c);
  if (failed(f)) return 6;
  void *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED) return errno == ENOMEM ? 7 : 99;
  void *grown = mremap(m, 4096, 8192, MREMAP_MAYMOVE);
  if (grown == MAP_FAILED) return errno == ENOMEM ? 8 : 99;
  // What is refused in any case does not fail.
  if (calloc((size_t)-1, 2) || errno != ENOMEM) return 99;
  if (posix_memalign(&e, 3, 8) != EINVAL) return 99;
  pthread_t other;
  error = pthread_create(&other, 0, thread, 0);
  if (error) return error == EAGAIN ? 9 : 99;
  pthread_join(other, 0);
  free(b), free(c), free(d), free(f), free(e);
  munmap(grown, 8192);
  printf("%s\n", "fine"); // needs no memory
  return 0;
}
#endif
