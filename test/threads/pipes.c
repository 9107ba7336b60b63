// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that reads from an empty pipe, polls it, or writes into a full one waits for the other one.
// RUN: %threads %s %t
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

static int data[2], answers[2];

static void *receive(void *unused) {
  char buffer[100];
  long sum = 0;
  for (ssize_t n; (n = read(data[0], buffer, sizeof buffer)) > 0;)
    for (ssize_t i = 0; i < n; i++) sum += buffer[i];
  write(answers[1], &sum, sizeof sum);
  return unused;
}

static void *later(void *byte) {
  struct pollfd ready = {answers[0], POLLIN, 0};
  poll(&ready, 1, -1);
  write(data[1], byte, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  char block[512];
  long sum;
  memset(block, 1, sizeof block);
  pipe(data), pipe(answers);
  pthread_create(&thread, 0, receive, 0);
  for (int i = 0; i < 300; i++) write(data[1], block, sizeof block); // more than it holds
  close(data[1]);
  read(answers[0], &sum, sizeof sum);
  pthread_join(thread, 0);
  close(data[0]);
  printf("%ld\n", sum);

  pipe(data);
  pthread_create(&thread, 0, later, "x");
  struct pollfd ready = {data[0], POLLIN, 0};
  printf("%d\n", poll(&ready, 1, 0));
  write(answers[1], "!", 1);
  fd_set in;
  FD_ZERO(&in);
  FD_SET(data[0], &in);
  printf("%d", select(data[0] + 1, &in, 0, 0, 0));
  read(data[0], block, 1);
  printf(" %c\n", block[0]);
  pthread_join(thread, 0);
  return 0;
}
