/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The system calls, one function each, with the arguments that the kernel's has. syscall.c calls
 * them by number. Descriptors and plain numbers are passed as long, as they arrive; each function
 * takes the part that counts.
 */
#ifndef FATHOM_POSIX_SYSCALLS_H
#define FATHOM_POSIX_SYSCALLS_H

#include "schedule.h"

enum { kPid = 4242, kPipeBytes = 65536 };

struct iovec;
struct pollfd;
struct tms;
typedef struct sigaltstack stack_t;

/* fd.c */
long __fathom_sys_close(long fd);
long __fathom_sys_close_range(long first, long last, long flags);
long __fathom_sys_dup(long fd);
long __fathom_sys_dup2(long from, long to);
long __fathom_sys_dup3(long from, long to, long flags);
long __fathom_sys_pipe2(int *fds, long flags);
long __fathom_sys_fcntl(long fd, long command, long argument);
long __fathom_sys_flock(long fd, long operation);

/* file.c */
long __fathom_sys_openat(long dirfd, const char *path, long flags, long mode);
long __fathom_sys_read(long fd, void *buffer, usize count);
long __fathom_sys_pread64(long fd, void *buffer, usize count, long offset);
long __fathom_sys_write(long fd, const void *buffer, usize count);
long __fathom_sys_pwrite64(long fd, const void *buffer, usize count, long offset);
long __fathom_sys_readv(long fd, const struct iovec *v, long n);
long __fathom_sys_writev(long fd, const struct iovec *v, long n);
long __fathom_sys_preadv(long fd, const struct iovec *v, long n, long at);
long __fathom_sys_pwritev(long fd, const struct iovec *v, long n, long at);
long __fathom_sys_lseek(long fd, long offset, long whence);
long __fathom_sys_truncate(const char *path, long length);
long __fathom_sys_ftruncate(long fd, long length);
long __fathom_sys_fallocate(long fd, long mode, long offset, long length);
long __fathom_sys_fsync(long fd);
long __fathom_sys_sync_file_range(long fd, long offset, long length);
long __fathom_sys_fadvise64(long fd, long advice);
long __fathom_sys_copy_file_range(long inFd, long *inOffset, long outFd, long *outOffset,
                                  usize count, long flags);
long __fathom_sys_sendfile(long outFd, long inFd, long *offset, usize count);

/* dir.c */
long __fathom_sys_getdents64(long fd, void *buffer, usize size);
long __fathom_sys_getcwd(char *buffer, usize size);
long __fathom_sys_chdir(const char *path);
long __fathom_sys_fchdir(long fd);
long __fathom_sys_mkdirat(long dirfd, const char *path, long mode);
long __fathom_sys_symlinkat(const char *target, long dirfd, const char *path);
long __fathom_sys_mknodat(long dirfd, const char *path, long mode);
long __fathom_sys_linkat(long fromFd, const char *from, long toFd, const char *to, long flags);
long __fathom_sys_unlinkat(long dirfd, const char *path, long flags);
long __fathom_sys_renameat2(long fromFd, const char *fromPath, long toFd, const char *toPath,
                            long flags);
long __fathom_sys_readlinkat(long dirfd, const char *path, char *buffer, long size);

/* stat.c */
long __fathom_sys_newfstatat(long dirfd, const char *path, void *out, long flags);
long __fathom_sys_fstat(long fd, void *out);
long __fathom_sys_statx(long dirfd, const char *path, long flags, long mask, void *buffer);
long __fathom_sys_faccessat(long dirfd, const char *path, long mode, long flags);
long __fathom_sys_fchmodat(long dirfd, const char *path, long mode);
long __fathom_sys_fchmod(long fd, long mode);
long __fathom_sys_fchownat(long dirfd, const char *path, long uid, long gid, long flags);
long __fathom_sys_fchown(long fd, long uid, long gid);
long __fathom_sys_utimensat(long dirfd, const char *path, const struct fathom_time *times,
                            long flags);
long __fathom_sys_utimes(long dirfd, const char *path, const long *values, int microseconds);
long __fathom_sys_statfs(const char *path, void *out);
long __fathom_sys_fstatfs(long fd, void *out);

/* memory.c */
long __fathom_sys_mmap(void *address, usize size, long protection, long flags, long fd,
                       long offset);
long __fathom_sys_munmap(byte *address, usize size);
long __fathom_sys_mremap(byte *address, usize oldSize, usize newSize, long flags);
long __fathom_sys_mprotect(const byte *address, long protection);
long __fathom_sys_madvise(byte *address, usize size, long advice);
long __fathom_sys_msync(byte *address);
long __fathom_sys_brk(void);

/* time.c */
long __fathom_sys_clock_gettime(long clock, struct fathom_time *out);
long __fathom_sys_clock_getres(long clock, struct fathom_time *out);
long __fathom_sys_gettimeofday(long *out);
long __fathom_sys_time(long *out);
long __fathom_sys_nanosleep(const struct fathom_time *request, struct fathom_time *left);
long __fathom_sys_clock_nanosleep(long clock, long flags, const struct fathom_time *request,
                                  struct fathom_time *left);
long __fathom_sys_alarm(long seconds);
long __fathom_sys_getitimer(long which, long *out);
long __fathom_sys_setitimer(long which, const long *value, long *old);
long __fathom_sys_times(struct tms *out);
long __fathom_sys_getrusage(long who, long *out);

/* ids.c */
long __fathom_sys_umask(long mask);
long __fathom_sys_getuid(void);
long __fathom_sys_getgid(void);
long __fathom_sys_setuid(long id);
long __fathom_sys_setgid(long id);
long __fathom_sys_setreuid(long real, long effective);
long __fathom_sys_setregid(long real, long effective);
long __fathom_sys_setresuid(long real, long effective, long saved);
long __fathom_sys_setresgid(long real, long effective, long saved);
long __fathom_sys_getresuid(unsigned *real, unsigned *effective, unsigned *saved);
long __fathom_sys_getresgid(unsigned *real, unsigned *effective, unsigned *saved);
long __fathom_sys_getgroups(long size, unsigned *list);
long __fathom_sys_setgroups(long size, const unsigned *list);
long __fathom_sys_uname(void *buffer);
long __fathom_sys_sysinfo(void *buffer);
long __fathom_sys_prlimit64(long process, long resource, const void *set, void *old);
long __fathom_sys_getrandom(void *buffer, usize count, long flags);

/* signal.c */
long __fathom_sys_kill(long process, long signal);
long __fathom_sys_tgkill(long process, long thread, long signal);
long __fathom_sys_tkill(long thread, long signal);
long __fathom_sys_rt_sigaction(long signal, const void *action, void *old, usize setSize);
long __fathom_sys_rt_sigprocmask(long how, const unsigned long *set, unsigned long *old,
                                 usize setSize);
long __fathom_sys_rt_sigpending(unsigned long *out, usize setSize);
long __fathom_sys_pause(void);
long __fathom_sys_rt_sigsuspend(const unsigned long *mask, usize setSize);
long __fathom_sys_rt_sigtimedwait(const unsigned long *set, void *info,
                                  const struct fathom_time *timeout, usize setSize);
long __fathom_sys_sigaltstack(const stack_t *stack, stack_t *old);

/* tty.c */
long __fathom_sys_ioctl(long fd, long request, void *argument);

/* poll.c */
long __fathom_sys_ppoll(struct pollfd *fds, usize count, const struct fathom_time *timeout);
long __fathom_sys_poll(struct pollfd *fds, usize count, long milliseconds);
long __fathom_sys_pselect6(long count, unsigned long *in, unsigned long *out,
                           unsigned long *exceptional, const struct fathom_time *timeout);
long __fathom_sys_select(long count, unsigned long *in, unsigned long *out,
                         unsigned long *exceptional, long *timeout);

/* thread.c */
long __fathom_sys_exit(long status);
long __fathom_sys_get_robust_list(long tid, void **head, usize *size);

/* process.c */
long __fathom_sys_exit_group(long status);
long __fathom_sys_refuseProcess(const char *what);
long __fathom_sys_arch_prctl(long code, void *address);
long __fathom_sys_prctl(long option, long argument);
long __fathom_sys_setpgid(long process, long group);
/* What is the same of all file systems (machine.c). */
struct statfs;
void __fathom_describeFileSystem(struct statfs *out, int isReadOnly);
long __fathom_sys_getpriority(long which, long who);
long __fathom_sys_setpriority(long which, long who, long nice);
long __fathom_sys_sched_getaffinity(usize size, unsigned long *mask);
long __fathom_sys_getcpu(unsigned *cpu, unsigned *node);
long __fathom_sys_wait4(long process, long options);

/* Shared by several of them. */
long __fathom_directoryWritable(int directory); /* may names be added or removed? (file.c) */
unsigned __fathom_deviceOf(int inode);          /* st_dev: which file system it is on (stat.c) */
int __fathom_pipeHas(int inode,
                     int access); /* is an end of it open for O_RDONLY or O_WRONLY? (file.c) */
extern unsigned long __fathom_blockedSignals; /* of the thread that runs (signal.c) */

#endif
