// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program learns about its machine is the same interpreted and replayed: output and branches agree.
// REQUIRES: replay
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom explore %t -o %t-out --force -q --sym-stdin 1
// RUN: %fathom replay %t %t-out --json | FileCheck %s
// CHECK: "tests": 2,
// CHECK: "exit_status": {
// CHECK: "compared": 2,
// CHECK: "differ": 0
// CHECK: "stdout_differ": 0,
// CHECK: "divergence": {
// CHECK: "compared": 2,
// CHECK: "diverged": 0,
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  char start = 0;
  if (read(0, &start, 1) == 1 && start == 'x') sleep(3600); // no test waits an hour for it
  struct utsname name;
  uname(&name);
  struct sysinfo memory;
  sysinfo(&memory);
  printf("%s %s %lu %lu\n", name.nodename, name.release, memory.totalram, memory.freeram);
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  for (int i = 0; i < CPU_COUNT(&cpus); i++) printf("processor\n");
  printf("%ld processors\n", sysconf(_SC_NPROCESSORS_ONLN));
  for (int which = 0; which < RLIM_NLIMITS; which++) {
    struct rlimit limit;
    getrlimit(which, &limit);
    printf("%d: %llu\n", which, (unsigned long long)limit.rlim_cur);
  }
  struct timeval day;
  gettimeofday(&day, NULL);
  struct timespec boot;
  clock_gettime(CLOCK_MONOTONIC, &boot);
  printf("%ld.%06ld, up %ld\n", (long)day.tv_sec, (long)day.tv_usec, (long)boot.tv_sec);
  // Waiting for descriptors is waiting, and takes the test no time.
  int pipes[2];
  pipe(pipes);
  struct pollfd one = {.fd = pipes[0], .events = POLLIN};
  struct timeval third = {.tv_sec = 1000, .tv_usec = 5};
  struct timespec fourth = {.tv_sec = 10000};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(pipes[0], &set);
  int ready = poll(&one, 1, 10000);
  printf("%d", ready);
  ready = ppoll(NULL, 0, &(struct timespec){.tv_sec = 100}, NULL);
  printf(" %d", ready);
  ready = select(pipes[0] + 1, &set, NULL, NULL, &third);
  printf(" %d %ld", ready, (long)third.tv_sec);
  ready = pselect(0, NULL, NULL, NULL, &fourth, NULL);
  printf(" %d; %ld s\n", ready, (long)(time(NULL) - day.tv_sec));
  struct tms used;
  clock_t ticks = times(&used);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld %ld, %ld.%06ld\n", (long)ticks, (long)used.tms_utime, (long)usage.ru_utime.tv_sec,
         (long)usage.ru_utime.tv_usec);
  for (time_t end = time(NULL) + 1; time(NULL) < end;) putchar('.');
  unsigned char bytes[4];
  getrandom(bytes, sizeof bytes, 0);
  printf("\n%02x%02x%02x%02x\n", bytes[0], bytes[1], bytes[2], bytes[3]);
  return bytes[0] & 1;
}
