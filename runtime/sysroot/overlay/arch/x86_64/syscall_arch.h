/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every system call of libc goes through one C function, so that an analysis can put a model of the
 * kernel in its place. No vdso: its code is not part of the program.
 */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

__attribute__((__visibility__("default"))) long __fathom_syscall(long, long, long, long, long, long,
                                                                 long);

static __inline long __syscall0(long n) { return __fathom_syscall(n, 0, 0, 0, 0, 0, 0); }

static __inline long __syscall1(long n, long a) { return __fathom_syscall(n, a, 0, 0, 0, 0, 0); }

static __inline long __syscall2(long n, long a, long b) {
  return __fathom_syscall(n, a, b, 0, 0, 0, 0);
}

static __inline long __syscall3(long n, long a, long b, long c) {
  return __fathom_syscall(n, a, b, c, 0, 0, 0);
}

static __inline long __syscall4(long n, long a, long b, long c, long d) {
  return __fathom_syscall(n, a, b, c, d, 0, 0);
}

static __inline long __syscall5(long n, long a, long b, long c, long d, long e) {
  return __fathom_syscall(n, a, b, c, d, e, 0);
}

static __inline long __syscall6(long n, long a, long b, long c, long d, long e, long f) {
  return __fathom_syscall(n, a, b, c, d, e, f);
}

#define IPC_64 0
