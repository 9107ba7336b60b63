// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Pipes within a process, dup, dup2, fcntl, select and poll on them.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

int main(void) {
  int p[2];
  char buffer[100];
  printf("%d\n", pipe(p));
  printf("%d", (int)write(p[1], "hello pipe", 10));
  printf(" %d", (int)read(p[0], buffer, 5));
  printf(" %.5s\n", buffer);
  struct pollfd fds[2] = {{p[0], POLLIN, 0}, {p[1], POLLOUT, 0}};
  printf("%d %d %d\n", poll(fds, 2, 0), fds[0].revents == POLLIN, fds[1].revents == POLLOUT);
  int other = dup(p[1]);
  close(p[1]);
  write(other, "!", 1);
  fcntl(p[0], F_SETFL, O_NONBLOCK);
  printf("%d %d\n", (int)read(p[0], buffer, 100), !!(fcntl(p[0], F_GETFL) & O_NONBLOCK));
  printf("%d %d\n", (int)read(p[0], buffer, 100), errno == EAGAIN);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(p[0], &set);
  struct timeval now = {0, 0};
  printf("%d\n", select(p[0] + 1, &set, NULL, NULL, &now));
  close(other);
  printf("%d\n", (int)read(p[0], buffer, 100));
  close(p[0]);
  printf("%d %d\n", (int)write(p[0], "x", 1), errno == EBADF);
  fflush(stdout);
  int saved = dup(1), file = open("out.txt", O_CREAT | O_RDWR | O_TRUNC, 0644);
  dup2(file, 1);
  puts("into the file"), fflush(stdout);
  dup2(saved, 1);
  lseek(file, 0, SEEK_SET);
  printf("%d %.4s\n", (int)read(file, buffer, 100), buffer);
  FILE *f = fdopen(file, "r+");
  fseek(f, 5, SEEK_SET), fputs("THE", f), fclose(f);
  printf("%d %d\n", fcntl(saved, F_GETFD), isatty(saved));
  unlink("out.txt");
  return 0;
}
