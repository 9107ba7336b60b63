/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The engine's threads for native tests of the environment model: contexts on stacks of their own.
 */
#define _GNU_SOURCE
#include "mock_engine.h"

#include <errno.h>
#include <stdlib.h>
#include <ucontext.h>

enum { kStackBytes = 1 << 18 };

static struct mockThread {
  ucontext_t context;
  void *pointer;
  void (*function)(void *);
  void *argument;
} threads[FATHOM_MAX_THREADS];
static long running;

void *__fathom_get_tp(void) { return threads[running].pointer; }
int __fathom_set_tp(void *pointer) {
  threads[running].pointer = pointer;
  return 0;
}

static void threadMain(void) { threads[running].function(threads[running].argument); }

long __fathom_thread_create(long thread, void (*function)(void *), void *argument,
                            void *threadPointer) {
  struct mockThread *t = &threads[thread];
  getcontext(&t->context);
  t->context.uc_stack.ss_sp = malloc(kStackBytes); /* kept: a test has few threads */
  t->context.uc_stack.ss_size = kStackBytes;
  t->context.uc_link = 0;
  t->pointer = threadPointer;
  t->function = function;
  t->argument = argument;
  makecontext(&t->context, threadMain, 0);
  return t->context.uc_stack.ss_sp ? 0 : -EAGAIN;
}

void __fathom_thread_switch(long next) {
  long self = running;
  running = next;
  swapcontext(&threads[self].context, &threads[next].context);
}

void __fathom_thread_end(long next) {
  running = next;
  setcontext(&threads[next].context);
  abort();
}

void __fathom_deadlock(const void *const *waits, unsigned long count) {
  int waiting = 0;
  for (unsigned long i = 0; i < count; i++) waiting += waits[i] != 0;
  mock.end("deadlock", waiting);
  abort();
}
