// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded into the engine: a Z3 that hangs or crashes. Environment:
//   Z3_FAULT         hang, crash or abort; slow: until it is interrupted; lie: says unsat
//   Z3_FAULT_QUERY   only where the solver's assertions, as text, hold this; otherwise always
//   Z3_FAULT_LOG     a file that gets a line for each fault: "PROCESS SECONDS" (CLOCK_MONOTONIC)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <z3.h>

static int isMeant(Z3_context context, Z3_solver solver) {
  const char *query = getenv("Z3_FAULT_QUERY");
  return !query || strstr(Z3_solver_to_string(context, solver), query);
}

static void record(void) {
  const char *name = getenv("Z3_FAULT_LOG");
  if (!name) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  char line[80];
  int size = snprintf(line, sizeof line, "%d %ld.%03ld\n", (int)getpid(), (long)now.tv_sec, now.tv_nsec / 1000000);
  int file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0 || write(file, line, (size_t)size) != size) abort();
  close(file);
}

static volatile int interrupted;

void Z3_interrupt(Z3_context context) {
  interrupted = 1;
  ((void (*)(Z3_context))dlsym(RTLD_NEXT, "Z3_interrupt"))(context);
}

Z3_lbool Z3_solver_check(Z3_context context, Z3_solver solver) {
  const char *fault = getenv("Z3_FAULT");
  if (fault && isMeant(context, solver)) {
    record();
    if (!strcmp(fault, "abort")) abort();
    if (!strcmp(fault, "crash")) raise(SIGSEGV);
    if (!strcmp(fault, "lie")) return Z3_L_FALSE;
    if (!strcmp(fault, "slow")) {
      for (interrupted = 0; !interrupted;) usleep(1000);
      return Z3_L_UNDEF;
    }
    if (!strcmp(fault, "hang"))
      for (;;) pause(); // looks at no interrupt
  }
  Z3_lbool (*real)(Z3_context, Z3_solver) = (Z3_lbool(*)(Z3_context, Z3_solver))dlsym(RTLD_NEXT, "Z3_solver_check");
  return real(context, solver);
}
