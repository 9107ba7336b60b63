// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t tests\>3 statuses=0,1,2,3 -- -- --sym-args 1 1 2 --sym-files 1 2
// RUN: %explore %s %t.own tests\>3 statuses=0,1,2,3 -- --sym-args 1 1 2 --sym-files 1 2
// Symbolic arguments and files as KLEE's --posix-runtime takes them, after -- and as our own options.
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 77;
  char c = 0;
  int fd = open("A", O_RDONLY);
  if (fd < 0)
    return 78;
  if (read(fd, &c, 1) != 1)
    return 79;
  close(fd);
  if (argv[1][0] == '-') {
    if (argv[1][1] == 'v')
      return 1;
    return 2;
  }
  if (c == 'x')
    return 3;
  return 0;
}
