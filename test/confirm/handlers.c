// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment model calls signal handlers and begins threads: a path to a place in one is not cut off at the system call before it.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %fathom-cc -g %s -o p
// RUN: python3 %S/Inputs/report.py %s use-after-free p.sarif "RAISED=free frees the memory" "PIPE=free frees the memory" "ALARM=free frees the memory" "THREAD=free frees the memory"
// RUN: %fathom confirm p --reports p.sarif --callers-time 0 --no-cache --json -q > out.json
// RUN: python3 %S/Inputs/verdicts.py out.json RAISED=possible PIPE=possible ALARM=possible THREAD=possible
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int *made(void) {
  int *p = malloc(sizeof(int));
  if (!p) exit(1);
  *p = 1;
  return p;
}

static int *ofRaised, *ofPipe, *ofAlarm, *ofThread;
static void onRaised(int signal) {
  *ofRaised = signal; // RAISED
}
void raises(void) {
  ofRaised = made();
  signal(SIGUSR1, onRaised);
  free(ofRaised); // RAISED: source
  raise(SIGUSR1);
}

static void onPipe(int signal) {
  *ofPipe = signal; // PIPE
}
void writesNowhere(void) {
  int ends[2];
  if (pipe(ends) != 0) return;
  ofPipe = made();
  signal(SIGPIPE, onPipe);
  free(ofPipe); // PIPE: source
  close(ends[0]);
  write(ends[1], "x", 1);
}

static void onAlarm(int signal) {
  *ofAlarm = signal; // ALARM
}
void sleeps(void) {
  ofAlarm = made();
  signal(SIGALRM, onAlarm);
  alarm(1);
  free(ofAlarm); // ALARM: source
  sleep(2);
}

static void *body(void *unused) {
  *ofThread = 2; // THREAD
  return unused;
}
void begins(void) {
  pthread_t thread;
  ofThread = made();
  free(ofThread); // THREAD: source
  if (pthread_create(&thread, NULL, body, NULL) == 0) pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc == 1) raises();
  if (argc == 2) writesNowhere();
  if (argc == 3) sleeps();
  if (argc == 4) begins();
  return 0;
}
