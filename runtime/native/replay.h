/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What makes a native variant the replay of a test, for the system calls in machine.c, which other
 * kinds of variants have too.
 */
#ifndef FATHOM_NATIVE_REPLAY_H
#define FATHOM_NATIVE_REPLAY_H

struct fathom_replay_hooks {
  void *(*placed)(unsigned long);                               /* addresses.h */
  int (*map)(long, long, long, long, long, long, long, long *); /* maps.h */
  void (*forgetMap)(unsigned long);
};

/* Before the program's first system call. */
void __fathom_machine_replays(const struct fathom_replay_hooks *hooks);

#endif
