/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives the processor away while it waits: where only one thread runs at a time, no other thread
 * could unlock. */
#include "pthread_impl.h"

int pthread_spin_lock(pthread_spinlock_t *lock) {
  while (*(volatile int *)lock || a_cas(lock, 0, EBUSY)) __syscall(SYS_sched_yield);
  return 0;
}
