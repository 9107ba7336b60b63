/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads of native trace variants (thread.c, transfer.c), for the system calls in machine.c.
 */
#ifndef FATHOM_NATIVE_THREAD_H
#define FATHOM_NATIVE_THREAD_H

/* Before exit(2): when other threads are left, the kernel gives the next one its turn when this one
 * has ended. */
void __fathom_leave(void);
/* 1 when the signal is for another thread: *result is what tkill returns, as in the model. */
int __fathom_signalThread(int tid, int signal, long *result);

/* From now on threads have the numbers that the model gives them, and not the kernel's. */
void __fathom_virtualTids(void);
int __fathom_ownTid(void);
/* With those numbers, a signal that is not for another thread: what tkill returns. */
long __fathom_signalSelf(int tid, long signal);

/* Reading and writing where that can wait for another thread. 0: as ever; 1: it was made, or is not
 * to be made, and *result is what it returns. */
int __fathom_transfer(long number, long fd, long data, long count, long *result);

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f); /* machine.c */

#endif
