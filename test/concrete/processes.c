// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// What a process asks about itself: arguments, environment, limits, ids, uname, sysconf, resource usage.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;
int main(int argc, char **argv) {
  printf("%d", argc);
  for (int i = 1; i < argc; i++) printf(" [%s]", argv[i]);
  printf(" %d\n", argv[argc] == NULL);
  for (char **e = environ; *e; e++) puts(*e);
  printf("%s %d\n", getenv("TZ"), getenv("NOT_SET") == NULL);
  setenv("NEW", "value", 1), setenv("NEW", "kept", 0), putenv("PUT=1");
  printf("%s %s\n", getenv("NEW"), getenv("PUT"));
  printf("%d\n", unsetenv("NEW"));
  printf("%d\n", getenv("NEW") == NULL);
  clearenv();
  printf("%d\n", environ == NULL || *environ == NULL);
  printf("%d %d %d\n", getpid() > 0, getppid() >= 0, getpgrp() >= 0);
  struct utsname u;
  printf("%d %s\n", uname(&u), u.sysname);
  printf("%ld %ld %d\n", sysconf(_SC_PAGESIZE), sysconf(_SC_OPEN_MAX) > 0 ? 1L : 0L, errno);
  struct rlimit l;
  printf("%d\n", getrlimit(RLIMIT_NOFILE, &l));
  struct rusage r;
  printf("%d\n", getrusage(RUSAGE_SELF, &r));
  struct timeval t;
  printf("%d %d\n", gettimeofday(&t, NULL), t.tv_usec < 1000000);
  printf("%d %d\n", isatty(0), ttyname(0) == NULL);
  printf("%s\n", strrchr(program_invocation_name, '/') ? "path" : program_invocation_name);
  return argc * 10;
}
