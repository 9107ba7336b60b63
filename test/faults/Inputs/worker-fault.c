// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded into the engine: a worker that crashes when it tells of a certain path. The path's
// program prints what SEND_FAULT holds, and the crash is where the test that holds the output is sent.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

ssize_t send(int socket, const void *data, size_t size, int flags) {
  const char *fault = getenv("SEND_FAULT");
  if (fault && memmem(data, size, fault, strlen(fault))) raise(SIGSEGV);
  ssize_t (*real)(int, const void *, size_t, int) = (ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
  return real(socket, data, size, flags);
}
