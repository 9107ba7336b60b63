// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=10 statuses=0,1,2,3,9 bugs=division-by-zero:46,null-dereference:47,null-dereference:49,signed-overflow:46 -- --sym-stdin 2 --run-fault-handlers
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
// CHECK: stdout{{ +}}all {{[0-9]+}} agree
// RUN: %explore %s %t statuses=0,1 bugs=division-by-zero:46,null-dereference:47,null-dereference:49,signed-overflow:46 -- --sym-stdin 2
//
// Handlers of faults run after the bug was reported: one leaves by longjmp, one ends the program, one is not installed when
// its signal comes.
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static sigjmp_buf back;
static void *faulted;
static void caught(int signal, siginfo_t *info, void *context) {
  faulted = info->si_addr;
  siglongjmp(back, signal == SIGFPE ? 2 : 3);
}
static void ends(int signal) { _exit(9); }

int main(void) {
  struct sigaction action = {0};
  action.sa_sigaction = caught;
  action.sa_flags = SA_SIGINFO;
  signed char in[2] = {1, 1};
  read(0, in, 2);
  if (in[0] == 'i') {
    puts("no handlers");
  } else if (in[0] == 'e') {
    signal(SIGSEGV, ends);
  } else {
    sigaction(SIGFPE, &action, 0);
    sigaction(SIGSEGV, &action, 0);
  }
  int r = sigsetjmp(back, 1);
  if (r) {
    printf("came back with %d\n", r);
    if (r == 3 && faulted != (void *)8) abort();
    return r;
  }
  if (in[0] == 'd') return (in[1] < 0 ? INT_MIN : 7) / in[1] == 7;
  if (in[0] == 'e' || in[0] == 'i') return *(volatile signed char *)(in[1] == 5 ? 0 : in) == 9;
  long *p = in[1] == 7 ? 0 : (long *)&action;
  if (in[0] == 'n') return p[1] == 3;
  return 0;
}
