// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// open failed where its result is negative, however the program asks.
//
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds handle-leak | FileCheck %s
#include <fcntl.h>
#include <unistd.h>

static int negative(const char *name) {
  int fd = open(name, O_RDONLY);
  if (fd < 0) return 1;
  close(fd);
  return 0;
}

static int assigned(const char *name) {
  int fd;
  if ((fd = open(name, O_RDONLY)) < 0) return 1;
  close(fd);
  return 0;
}

static int notPositive(const char *name) {
  int fd = open(name, O_RDONLY);
  if (!(fd >= 0)) return 1;
  close(fd);
  return 0;
}

static int leaks(const char *name) {
  // CHECK: handle-failure.c:[[# @LINE + 2]]:{{[0-9]+}}: handle-leak
  int fd = open(name, O_RDONLY);
  if (fd <= 0) return 1; // CHECK: 1 report: 1 handle-leak
  close(fd);
  return 0;
}

int main(int argc, char **argv) {
  return argc > 1 && negative(argv[1]) + assigned(argv[1]) + notPositive(argv[1]) + leaks(argv[1]);
}
