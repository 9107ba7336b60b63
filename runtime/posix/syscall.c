/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The one door: every system call of libc and of the program arrives here with its Linux x86-64
 * number. What is not in the table is answered with ENOSYS and named in the ledger.
 * docs/environment.md describes each call.
 */
#include "syscalls.h"
#include <asm/unistd.h>

#define PTR(value) ((void *)(value))

/* Calls that a single deterministic process has no use for, but that programs try. */
static long refuse(long number) {
  switch (number) {
  case __NR_fork:
  case __NR_vfork:
  case __NR_clone: /* of threads: __fathom_clone */
  case __NR_clone3:
    return __fathom_sys_refuseProcess("fork, vfork or clone refused (ENOSYS): only one process is "
                                      "analysed");
  case __NR_execve:
  case __NR_execveat:
    return __fathom_sys_refuseProcess("execve refused (ENOSYS): other programs are not analysed");
  case __NR_ptrace: return __fathom_sys_refuseProcess("ptrace refused (ENOSYS)");
  case __NR_socket:
  case __NR_socketpair:
    __fathom_ledger("network", "socket refused (EAFNOSUPPORT): the network is not modelled");
    return -EAFNOSUPPORT;
  case __NR_connect:
  case __NR_accept:
  case __NR_accept4:
  case __NR_sendto:
  case __NR_recvfrom:
  case __NR_sendmsg:
  case __NR_recvmsg:
  case __NR_shutdown:
  case __NR_bind:
  case __NR_listen:
  case __NR_getsockname:
  case __NR_getpeername:
  case __NR_setsockopt:
  case __NR_getsockopt: return -ENOTSOCK; /* no descriptor is a socket */
  default: {
    char message[] = "system call 000 is not modelled: ENOSYS";
    for (int i = 14, rest = (int)number & 1023; i >= 12; i--, rest /= 10)
      message[i] = (char)('0' + rest % 10);
    __fathom_ledger("environment", message);
    return -ENOSYS;
  }
  }
}

/* Of preadv2 and pwritev2: all but the last are hints. */
static long checkTransferFlags(long flags) {
  enum { kHints = 15, kAppend = 16 };
  flags = __fathom_pinned((int)flags, "flags of a transfer");
  if (flags & kAppend) __fathom_ledger("environment", "RWF_APPEND is not modelled: EOPNOTSUPP");
  return flags & ~kHints ? -EOPNOTSUPP : 0;
}

/* Descriptors, reading and writing. */
static int ioCall(long number, long a, long b, long c, long d, long e, long f, long *result) {
  switch (number) {
  case __NR_read: *result = __fathom_sys_read(a, PTR(b), (usize)c); return 1;
  case __NR_write: *result = __fathom_sys_write(a, PTR(b), (usize)c); return 1;
  case __NR_readv: *result = __fathom_sys_readv(a, PTR(b), c); return 1;
  case __NR_writev: *result = __fathom_sys_writev(a, PTR(b), c); return 1;
  case __NR_pread64: *result = __fathom_sys_pread64(a, PTR(b), (usize)c, d); return 1;
  case __NR_pwrite64: *result = __fathom_sys_pwrite64(a, PTR(b), (usize)c, d); return 1;
  case __NR_preadv: *result = __fathom_sys_preadv(a, PTR(b), c, d); return 1;
  case __NR_pwritev: *result = __fathom_sys_pwritev(a, PTR(b), c, d); return 1;
  case __NR_preadv2: /* offset -1: the file's own */
    *result = checkTransferFlags(f);
    if (*result == 0)
      *result = d == -1 ? __fathom_sys_readv(a, PTR(b), c) : __fathom_sys_preadv(a, PTR(b), c, d);
    return 1;
  case __NR_pwritev2:
    *result = checkTransferFlags(f);
    if (*result == 0)
      *result = d == -1 ? __fathom_sys_writev(a, PTR(b), c) : __fathom_sys_pwritev(a, PTR(b), c, d);
    return 1;
  case __NR_open: *result = __fathom_sys_openat(AT_FDCWD, PTR(a), b, c); return 1;
  case __NR_openat: *result = __fathom_sys_openat(a, PTR(b), c, d); return 1;
  case __NR_creat:
    *result = __fathom_sys_openat(AT_FDCWD, PTR(a), O_CREAT | O_WRONLY | O_TRUNC, b);
    return 1;
  case __NR_close: *result = __fathom_sys_close(a); return 1;
  case __NR_close_range: *result = __fathom_sys_close_range(a, b, c); return 1;
  case __NR_lseek: *result = __fathom_sys_lseek(a, b, c); return 1;
  case __NR_dup: *result = __fathom_sys_dup(a); return 1;
  case __NR_dup2: *result = __fathom_sys_dup2(a, b); return 1;
  case __NR_dup3: *result = __fathom_sys_dup3(a, b, c); return 1;
  case __NR_fcntl: *result = __fathom_sys_fcntl(a, b, c); return 1;
  case __NR_flock: *result = __fathom_sys_flock(a, b); return 1;
  case __NR_pipe: *result = __fathom_sys_pipe2(PTR(a), 0); return 1;
  case __NR_pipe2: *result = __fathom_sys_pipe2(PTR(a), b); return 1;
  case __NR_ioctl: *result = __fathom_sys_ioctl(a, b, PTR(c)); return 1;
  case __NR_truncate: *result = __fathom_sys_truncate(PTR(a), b); return 1;
  case __NR_ftruncate: *result = __fathom_sys_ftruncate(a, b); return 1;
  case __NR_fallocate: *result = __fathom_sys_fallocate(a, b, c, d); return 1;
  case __NR_fsync:
  case __NR_fdatasync: *result = __fathom_sys_fsync(a); return 1;
  case __NR_sync: *result = 0; return 1;
  case __NR_syncfs: *result = __fathom_file(a) ? 0 : -EBADF; return 1;
  case __NR_sync_file_range: *result = __fathom_sys_sync_file_range(a, b, c); return 1;
  case __NR_fadvise64: *result = __fathom_sys_fadvise64(a, d); return 1;
  case __NR_readahead: *result = __fathom_sys_fadvise64(a, 0); return 1;
  case __NR_copy_file_range:
    *result = __fathom_sys_copy_file_range(a, PTR(b), c, PTR(d), (usize)e, f);
    return 1;
  case __NR_sendfile: *result = __fathom_sys_sendfile(a, b, PTR(c), (usize)d); return 1;
  case __NR_poll: *result = __fathom_sys_poll(PTR(a), (usize)b, c); return 1;
  case __NR_ppoll: *result = __fathom_sys_ppoll(PTR(a), (usize)b, PTR(c)); return 1;
  case __NR_select: *result = __fathom_sys_select(a, PTR(b), PTR(c), PTR(d), PTR(e)); return 1;
  case __NR_pselect6: *result = __fathom_sys_pselect6(a, PTR(b), PTR(c), PTR(d), PTR(e)); return 1;
  default: return 0;
  }
}

/* Names and what is known about files. */
static int nameCall(long number, long a, long b, long c, long d, long e, long *result) {
  switch (number) {
  case __NR_stat: *result = __fathom_sys_newfstatat(AT_FDCWD, PTR(a), PTR(b), 0); return 1;
  case __NR_lstat:
    *result = __fathom_sys_newfstatat(AT_FDCWD, PTR(a), PTR(b), AT_SYMLINK_NOFOLLOW);
    return 1;
  case __NR_fstat: *result = __fathom_sys_fstat(a, PTR(b)); return 1;
  case __NR_newfstatat: *result = __fathom_sys_newfstatat(a, PTR(b), PTR(c), d); return 1;
  case __NR_statx: *result = __fathom_sys_statx(a, PTR(b), c, d, PTR(e)); return 1;
  case __NR_access: *result = __fathom_sys_faccessat(AT_FDCWD, PTR(a), b, 0); return 1;
  case __NR_faccessat: *result = __fathom_sys_faccessat(a, PTR(b), c, 0); return 1;
  case __NR_faccessat2: *result = __fathom_sys_faccessat(a, PTR(b), c, d); return 1;
  case __NR_getdents64: *result = __fathom_sys_getdents64(a, PTR(b), (usize)c); return 1;
  case __NR_getcwd: *result = __fathom_sys_getcwd(PTR(a), (usize)b); return 1;
  case __NR_chdir: *result = __fathom_sys_chdir(PTR(a)); return 1;
  case __NR_fchdir: *result = __fathom_sys_fchdir(a); return 1;
  case __NR_mkdir: *result = __fathom_sys_mkdirat(AT_FDCWD, PTR(a), b); return 1;
  case __NR_mkdirat: *result = __fathom_sys_mkdirat(a, PTR(b), c); return 1;
  case __NR_mknod: *result = __fathom_sys_mknodat(AT_FDCWD, PTR(a), b); return 1;
  case __NR_mknodat: *result = __fathom_sys_mknodat(a, PTR(b), c); return 1;
  case __NR_rmdir: *result = __fathom_sys_unlinkat(AT_FDCWD, PTR(a), AT_REMOVEDIR); return 1;
  case __NR_unlink: *result = __fathom_sys_unlinkat(AT_FDCWD, PTR(a), 0); return 1;
  case __NR_unlinkat: *result = __fathom_sys_unlinkat(a, PTR(b), c); return 1;
  case __NR_rename:
    *result = __fathom_sys_renameat2(AT_FDCWD, PTR(a), AT_FDCWD, PTR(b), 0);
    return 1;
  case __NR_renameat: *result = __fathom_sys_renameat2(a, PTR(b), c, PTR(d), 0); return 1;
  case __NR_renameat2: *result = __fathom_sys_renameat2(a, PTR(b), c, PTR(d), e); return 1;
  case __NR_link: *result = __fathom_sys_linkat(AT_FDCWD, PTR(a), AT_FDCWD, PTR(b), 0); return 1;
  case __NR_linkat: *result = __fathom_sys_linkat(a, PTR(b), c, PTR(d), e); return 1;
  case __NR_symlink: *result = __fathom_sys_symlinkat(PTR(a), AT_FDCWD, PTR(b)); return 1;
  case __NR_symlinkat: *result = __fathom_sys_symlinkat(PTR(a), b, PTR(c)); return 1;
  case __NR_readlink: *result = __fathom_sys_readlinkat(AT_FDCWD, PTR(a), PTR(b), c); return 1;
  case __NR_readlinkat: *result = __fathom_sys_readlinkat(a, PTR(b), PTR(c), d); return 1;
  case __NR_chmod: *result = __fathom_sys_fchmodat(AT_FDCWD, PTR(a), b); return 1;
  case __NR_fchmod: *result = __fathom_sys_fchmod(a, b); return 1;
  case __NR_fchmodat: *result = __fathom_sys_fchmodat(a, PTR(b), c); return 1;
  case __NR_chown: *result = __fathom_sys_fchownat(AT_FDCWD, PTR(a), b, c, 0); return 1;
  case __NR_lchown:
    *result = __fathom_sys_fchownat(AT_FDCWD, PTR(a), b, c, AT_SYMLINK_NOFOLLOW);
    return 1;
  case __NR_fchown: *result = __fathom_sys_fchown(a, b, c); return 1;
  case __NR_fchownat: *result = __fathom_sys_fchownat(a, PTR(b), c, d, e); return 1;
  case __NR_utime: *result = __fathom_sys_utimes(AT_FDCWD, PTR(a), PTR(b), 0); return 1;
  case __NR_utimes: *result = __fathom_sys_utimes(AT_FDCWD, PTR(a), PTR(b), 1); return 1;
  case __NR_futimesat: *result = __fathom_sys_utimes(a, PTR(b), PTR(c), 1); return 1;
  case __NR_utimensat: *result = __fathom_sys_utimensat(a, PTR(b), PTR(c), d); return 1;
  case __NR_statfs: *result = __fathom_sys_statfs(PTR(a), PTR(b)); return 1;
  case __NR_fstatfs: *result = __fathom_sys_fstatfs(a, PTR(b)); return 1;
  case __NR_umask: *result = __fathom_sys_umask(a); return 1;
  default: return 0;
  }
}

/* Memory, time, signals. */
static int memoryTimeSignalCall(long number, long a, long b, long c, long d, long e, long f,
                                long *result) {
  switch (number) {
  case __NR_mmap: *result = __fathom_sys_mmap(PTR(a), (usize)b, c, d, e, f); return 1;
  case __NR_munmap: *result = __fathom_sys_munmap(PTR(a), (usize)b); return 1;
  case __NR_mremap: *result = __fathom_sys_mremap(PTR(a), (usize)b, (usize)c, d); return 1;
  case __NR_mprotect: *result = __fathom_sys_mprotect(PTR(a), c); return 1;
  case __NR_madvise: *result = __fathom_sys_madvise(PTR(a), (usize)b, c); return 1;
  case __NR_msync: *result = __fathom_sys_msync(PTR(a)); return 1;
  case __NR_mlock:
  case __NR_munlock:
  case __NR_mlock2:
  case __NR_mlockall:
  case __NR_munlockall: *result = 0; return 1;
  case __NR_brk: *result = __fathom_sys_brk(); return 1;
  case __NR_clock_gettime: *result = __fathom_sys_clock_gettime(a, PTR(b)); return 1;
  case __NR_clock_getres: *result = __fathom_sys_clock_getres(a, PTR(b)); return 1;
  case __NR_clock_settime:
  case __NR_settimeofday: *result = -EPERM; return 1;
  case __NR_gettimeofday: *result = __fathom_sys_gettimeofday(PTR(a)); return 1;
  case __NR_time: *result = __fathom_sys_time(PTR(a)); return 1;
  case __NR_nanosleep: *result = __fathom_sys_nanosleep(PTR(a), PTR(b)); return 1;
  case __NR_clock_nanosleep: *result = __fathom_sys_clock_nanosleep(a, b, PTR(c), PTR(d)); return 1;
  case __NR_alarm: *result = __fathom_sys_alarm(a); return 1;
  case __NR_getitimer: *result = __fathom_sys_getitimer(a, PTR(b)); return 1;
  case __NR_setitimer: *result = __fathom_sys_setitimer(a, PTR(b), PTR(c)); return 1;
  case __NR_times: *result = __fathom_sys_times(PTR(a)); return 1;
  case __NR_getrusage: *result = __fathom_sys_getrusage((int)a, PTR(b)); return 1;
  case __NR_kill: *result = __fathom_sys_kill(a, b); return 1;
  case __NR_tkill: *result = __fathom_sys_tkill(a, b); return 1;
  case __NR_tgkill: *result = __fathom_sys_tgkill(a, b, c); return 1;
  case __NR_pause: *result = __fathom_sys_pause(); return 1;
  case __NR_rt_sigaction:
    *result = __fathom_sys_rt_sigaction(a, PTR(b), PTR(c), (usize)d);
    return 1;
  case __NR_rt_sigprocmask:
    *result = __fathom_sys_rt_sigprocmask(a, PTR(b), PTR(c), (usize)d);
    return 1;
  case __NR_rt_sigpending: *result = __fathom_sys_rt_sigpending(PTR(a), (usize)b); return 1;
  case __NR_rt_sigsuspend: *result = __fathom_sys_rt_sigsuspend(PTR(a), (usize)b); return 1;
  case __NR_rt_sigtimedwait:
    *result = __fathom_sys_rt_sigtimedwait(PTR(a), PTR(b), PTR(c), (usize)d);
    return 1;
  case __NR_sigaltstack: *result = __fathom_sys_sigaltstack(PTR(a), PTR(b)); return 1;
  default: return 0;
  }
}

/* The process, its ids and limits. */
static int processCall(long number, long a, long b, long c, long d, long e, long f, long *result) {
  switch (number) {
  case __NR_exit: *result = __fathom_sys_exit(a); return 1;
  case __NR_exit_group: *result = __fathom_sys_exit_group(a); return 1;
  case __NR_wait4: *result = __fathom_sys_wait4(a, c); return 1;
  case __NR_waitid: *result = -ECHILD; return 1;
  case __NR_futex: *result = __fathom_sys_futex(PTR(a), b, c, PTR(d), PTR(e), f); return 1;
  case __NR_set_tid_address: __fathom_setClearTid(PTR(a)); /* fall through */
  case __NR_gettid: *result = __fathom_tid(); return 1;
  case __NR_getpid:
  case __NR_getpgrp: *result = kPid; return 1;
  case __NR_getppid: *result = 1; return 1;
  case __NR_getpgid:
  case __NR_getsid: *result = a == 0 || a == kPid ? kPid : -ESRCH; return 1;
  case __NR_setpgid: *result = __fathom_sys_setpgid(a, b); return 1;
  case __NR_setsid:
    *result = -EPERM; /* already the leader of its group */
    return 1;
  case __NR_sched_yield: __fathom_yield(); /* fall through */
  case __NR_set_robust_list: *result = 0; return 1;
  case __NR_get_robust_list: *result = __fathom_sys_get_robust_list(a, PTR(b), PTR(c)); return 1;
  case __NR_setpriority: *result = __fathom_sys_setpriority(a, b, c); return 1;
  case __NR_getpriority: *result = __fathom_sys_getpriority(a, b); return 1;
  case __NR_sched_getaffinity: *result = __fathom_sys_sched_getaffinity((usize)b, PTR(c)); return 1;
  case __NR_sched_setaffinity: *result = 0; return 1;
  case __NR_getcpu: *result = __fathom_sys_getcpu(PTR(a), PTR(b)); return 1;
  case __NR_arch_prctl: *result = __fathom_sys_arch_prctl(a, PTR(b)); return 1;
  case __NR_prctl: *result = __fathom_sys_prctl(a, b); return 1;
  case __NR_getuid: *result = __fathom_sys_getuid(); return 1;
  case __NR_geteuid: *result = __fathom_uid; return 1;
  case __NR_getgid: *result = __fathom_sys_getgid(); return 1;
  case __NR_getegid: *result = __fathom_gid; return 1;
  case __NR_getresuid: *result = __fathom_sys_getresuid(PTR(a), PTR(b), PTR(c)); return 1;
  case __NR_getresgid: *result = __fathom_sys_getresgid(PTR(a), PTR(b), PTR(c)); return 1;
  case __NR_getgroups: *result = __fathom_sys_getgroups(a, PTR(b)); return 1;
  case __NR_setgroups: *result = __fathom_sys_setgroups(a, PTR(b)); return 1;
  case __NR_setuid: *result = __fathom_sys_setuid(a); return 1;
  case __NR_setgid: *result = __fathom_sys_setgid(a); return 1;
  case __NR_setreuid: *result = __fathom_sys_setreuid(a, b); return 1;
  case __NR_setregid: *result = __fathom_sys_setregid(a, b); return 1;
  case __NR_setresuid: *result = __fathom_sys_setresuid(a, b, c); return 1;
  case __NR_setresgid: *result = __fathom_sys_setresgid(a, b, c); return 1;
  case __NR_uname: *result = __fathom_sys_uname(PTR(a)); return 1;
  case __NR_sysinfo: *result = __fathom_sys_sysinfo(PTR(a)); return 1;
  case __NR_getrlimit:
    *result = PTR(b) ? __fathom_sys_prlimit64(0, a, 0, PTR(b)) : -EFAULT;
    return 1;
  case __NR_setrlimit:
    *result = PTR(b) ? __fathom_sys_prlimit64(0, a, PTR(b), 0) : -EFAULT;
    return 1;
  case __NR_prlimit64: *result = __fathom_sys_prlimit64(a, b, PTR(c), PTR(d)); return 1;
  case __NR_getrandom: *result = __fathom_sys_getrandom(PTR(a), (usize)b, c); return 1;
  default: return 0;
  }
}

long __fathom_syscall(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  if (ioCall(number, a, b, c, d, e, f, &result) || nameCall(number, a, b, c, d, e, &result) ||
      memoryTimeSignalCall(number, a, b, c, d, e, f, &result) ||
      processCall(number, a, b, c, d, e, f, &result)) {
    __fathom_afterCall(number);
    return result;
  }
  return refuse(number);
}
