// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded into the engine: a system with room for so many processes and no more (a container's
// limit, or no memory). Environment:
//   FORK_FAULT_FROM   the fork from which on it fails, counted from 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

pid_t fork(void) {
  static long forks;
  if (++forks >= atol(getenv("FORK_FAULT_FROM"))) {
    errno = EAGAIN;
    return -1;
  }
  pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
  return real();
}
