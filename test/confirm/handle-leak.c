// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that is not closed: exploring finds no such bugs, and the verdict says so.
//
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds handle-leak --sarif %t.sarif > /dev/null
// RUN: %fathom confirm %t --reports %t.sarif --no-cache | FileCheck %s
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int fd = open(argv[0], O_RDONLY);
  if (fd < 0) return 1;
  // CHECK: handle-leak.c:[[# @LINE + 3]]:{{[0-9]+}}: open: handle-leak
  // CHECK-NEXT: exploration does not check whether files are closed (rule handle-leak)
  // CHECK-NEXT: would settle it: nothing today: exploration looks for no bugs of this kind
  if (argc > 1) return 2;
  close(fd);
  return 0;
}
