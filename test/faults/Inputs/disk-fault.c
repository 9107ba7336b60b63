// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded into the engine: a disk that is full. Writing to a file whose name ends in DISK_FAULT fails
// with ENOSPC, half of it written, from the DISK_FAULT_FROM-th such call on (1: the first).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ssize_t realWrite(int file, const void *data, size_t size) {
  ssize_t (*real)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return real(file, data, size);
}

static int isMeant(int file) {
  static long calls;
  const char *fault = getenv("DISK_FAULT"), *from = getenv("DISK_FAULT_FROM");
  if (!fault) return 0;
  char link[40], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, name, sizeof name - 1);
  if (size < (ssize_t)strlen(fault) || memcmp(name + size - strlen(fault), fault, strlen(fault))) return 0;
  return ++calls >= (from ? atol(from) : 1);
}

ssize_t write(int file, const void *data, size_t size) {
  if (!isMeant(file)) return realWrite(file, data, size);
  realWrite(file, data, size / 2);
  errno = ENOSPC;
  return -1;
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  if (!isMeant(file)) return real(file, data, size, at);
  real(file, data, size / 2, at);
  errno = ENOSPC;
  return -1;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t at) { return pwrite64(file, data, size, at); }
