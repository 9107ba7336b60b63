// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && mkdir %t
// RUN: %explore %s %t/e statuses=5 paths_completed=1 ledger=network,process
// RUN: cd %t && %fathom replay %t/e.program %t/e.out | FileCheck %s
// CHECK: branch traces all {{[0-9]+}} agree
// CHECK: exit status all {{[0-9]+}} agree
// RUN: test ! -e /tmp/fathom-processes-test
//
// A test that is replayed starts no other programs and opens no sockets, as in the model.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  char *touch[] = {"touch", "/tmp/fathom-processes-test", 0}, *nothing[] = {0};
  execve("/usr/bin/touch", touch, nothing);
  int refused = 1;
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child < 0) refused++;
  if (vfork() < 0) refused++;
  if (socket(AF_UNIX, SOCK_STREAM, 0) < 0) refused++;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) refused++;
  return refused;
}
