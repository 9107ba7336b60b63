// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An alarm rings while all threads wait, and its handler takes longer than a slice: its thread runs, so the others have their turn, and the
// handler goes on after that. Nobody is deadlocked. (Replay is no check here: natively alarms ring by real time.)
// RUN: %explore %s %t paths_completed=2 ledger=environment,threads --cc=-pthread
// RUN: FileCheck %s < %t.out/tests/000001/stdout
// CHECK: fine 40000
#include <fathom.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static sem_t done, never;
static volatile int count;

static void onAlarm(int signal) {
  (void)signal;
  for (int i = 0; i < 40000; i++)
    if (i % 2 >= 0) count++;
  sem_post(&done);
  sem_post(&never);
}

static void *work(void *argument) {
  while (sem_wait(&never)) {}
  return argument;
}

int main(void) {
  pthread_t thread;
  int sleeps = fathom_int("sleeps") == 1; // then somebody could be woken by time alone
  sem_init(&done, 0, 0);
  sem_init(&never, 0, 0);
  signal(SIGALRM, onAlarm);
  pthread_create(&thread, 0, work, 0);
  alarm(1);
  if (sleeps)
    while (count < 40000) sleep(10);
  while (sem_wait(&done)) {}
  pthread_join(thread, 0);
  printf("fine %d\n", count);
  return 0;
}
