// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting for a signal lets other threads run: one that is blocked until sigsuspend, one that ends a pause whoever sends it, an alarm that
// rings when another thread was the last to wait. What would have to come from outside ends the path, and is no deadlock.
// RUN: %explore %s %t paths_completed=3 ledger=environment,threads --cc=-pthread
// RUN: python3 %scripts/testfolders.py %t.out %t.tests
// RUN: cat %t.tests/*/stdout | FileCheck %s
// CHECK-COUNT-3: ended 0: 1 1
// RUN: FileCheck %s --check-prefix=LEDGER < %t.out/ledger.json
// LEDGER: the program waits for a signal that nothing in the model sends
#include <fathom.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile int handled, byMain;
static pthread_t first;
static sem_t go, never;

static void on(int signal) {
  (void)signal;
  handled++;
  byMain = pthread_equal(pthread_self(), first);
}

static void *work(void *argument) {
  while (sem_wait(&go)) {}
  if (argument) kill(getpid(), SIGUSR1);
  while (sem_wait(&never)) {}
  return 0;
}

int main(void) {
  pthread_t thread;
  sigset_t usual, blocked;
  int how = fathom_int("how");
  first = pthread_self();
  sem_init(&go, 0, 0);
  sem_init(&never, 0, 0);
  signal(SIGUSR1, on);
  signal(SIGALRM, on);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_create(&thread, 0, work, how == 1 || how == 2 ? &go : 0);
  if (how == 1) {
    pthread_sigmask(SIG_BLOCK, &blocked, &usual);
    sem_post(&go);
    while (!handled) sigsuspend(&usual);
  } else {
    sem_post(&go);
    if (how == 3) alarm(1);
    pause(); // nobody ends this if how is none of these
  }
  sem_post(&never);
  printf("ended %d: %d %d\n", pthread_join(thread, 0), handled, byMain);
  return 0;
}
