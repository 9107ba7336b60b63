/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The scheduler of threads (schedule.c), and what it asks of the two sides it is compiled for: the
 * model (thread.c), where a thread is the engine's, and the native programs of a replay
 * (runtime/native/thread.c), where it is the kernel's and waits for its turn.
 */
#ifndef FATHOM_POSIX_SCHEDULE_H
#define FATHOM_POSIX_SCHEDULE_H

#include "state.h"

/* ---- the scheduler ---- */

/* How many threads there are. */
extern int __fathom_threadCount;
/* The number of the thread that runs: 0 is the first one; those of ended threads are used again. */
extern int __fathom_thread;

/* A new thread, which runs when its turn comes: its number, or -EAGAIN. When it ends, *clearTid
 * becomes 0 and a waiter is woken, as by CLONE_CHILD_CLEARTID; may be null. */
long __fathom_addThread(int *clearTid);
/* What gettid says in this thread; the first one's is set at its first use. */
void __fathom_setTid(int thread, int tid);
int __fathom_tid(void);
/* The number of the thread with this id, or -1. */
int __fathom_findThread(int tid);
void __fathom_setClearTid(int *clearTid);
/* Ends the running thread, which is not the last one. Returns the next thread: the caller has to
 * let it run, without another call of the scheduler. */
int __fathom_endThread(void);
/* Takes back __fathom_addThread: it could not be started. */
void __fathom_dropThread(int thread);

/* Others have their turn first. A time slice passes. */
void __fathom_yield(void);
/* Until `duration` is over: 0, or -EINTR when a signal handler ran. */
long __fathom_sleep(struct fathom_time duration);
/* Until a descriptor may have become ready, or a signal that is blocked may have come
 * (__fathom_eventHappened): 0, and the caller looks again; -ETIMEDOUT, when `timeout` (null: none)
 * is over; -EINTR. With one thread nothing can happen: without a timeout -EDEADLK at once. */
long __fathom_waitForEvent(const struct fathom_time *timeout);
void __fathom_eventHappened(void);
/* After each system call: those that wait for an event look again, if it can have been one. */
void __fathom_afterCall(long number);
/* Ends what a thread waits for with -EINTR, if it waits. */
void __fathom_interrupt(int thread);

long __fathom_sys_futex(int *address, long operation, long value, const struct fathom_time *timeout,
                        int *other, long mask);

/* ---- what differs between the two sides ---- */

/* Thread number self lets thread number next run; returns when it is its own turn again. */
void __fathom_switchTo(int self, int next);
/* Every thread waits, and nothing can end that. waits[i]: the futex of thread number i; null when
 * there is no such thread or it waits for something else. */
void __fathom_deadlocked(const void *const *waits, usize count) __attribute__((noreturn));
/* Moves the clock; 1 when a signal handler ran on the way, and the time is not over then. */
int __fathom_passTime(struct fathom_time duration);
/* Jumps to the next alarm. Returns -1 if none is set, otherwise whether a handler ran. */
int __fathom_nextAlarm(void);

#endif
