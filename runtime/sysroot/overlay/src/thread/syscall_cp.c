/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A system call that is a cancellation point. Programs that can cancel threads reach it for every
 * read and write; only with more than one thread does it natively take the assembly path that
 * pthread_cancel's signal handler knows how to interrupt.
 * pthread_cancel.c is compiled with __syscall_cp_asm renamed to this function.
 */
#include "libc.h"
#include "pthread_impl.h"
#include "syscall.h"

hidden long __cancel(void);

__attribute__((__visibility__("default"))) long
__fathom_cancellable_syscall(volatile void *, syscall_arg_t, syscall_arg_t, syscall_arg_t,
                             syscall_arg_t, syscall_arg_t, syscall_arg_t, syscall_arg_t);

hidden long __fathom_syscall_cp(volatile void *cancel, syscall_arg_t n, syscall_arg_t a,
                                syscall_arg_t b, syscall_arg_t c, syscall_arg_t d, syscall_arg_t e,
                                syscall_arg_t f) {
  if (*(volatile int *)cancel) return __cancel();
  if (!libc.need_locks) return __fathom_syscall(n, a, b, c, d, e, f);
  return __fathom_cancellable_syscall(cancel, n, a, b, c, d, e, f);
}
