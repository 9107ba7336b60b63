/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The contract between the engine and the C that runs inside analysed programs (runtime/, harness
 * headers, the sysroot's libc). Plain C, no dependencies: it is included by both sides.
 *
 * Four groups of functions stay *undefined* in PROGRAM.bc and are provided twice: by the engine
 * when the program is interpreted, and by the native support library when it runs natively:
 *
 *   1. the allocator (malloc, calloc, realloc, free, aligned_alloc, memalign, posix_memalign,
 *      malloc_usable_size and libc's internal aliases __libc_malloc, __libc_calloc, __libc_realloc,
 *      __libc_free, __libc_memalign): engine operations, so that heap bugs are visible;
 *   2. __fathom_syscall: natively the syscall instruction, interpreted the model in runtime/posix;
 *   3. the intrinsics below: natively they do the obvious thing for replay (see each one);
 *   4. assembly helpers of libc: setjmp, _setjmp, sigsetjmp, longjmp, _longjmp, siglongjmp (engine
 *      operations), the thread pointer (__fathom_get_tp, __fathom_set_tp), and the beginning and
 * end of threads (__fathom_clone, __fathom_unmap_self, __fathom_cancellable_syscall: the model in
 *      runtime/posix).
 *
 * Bump FATHOM_ABI_VERSION on every incompatible change; the engine refuses a runtime of another
 * one.
 */
#ifndef FATHOM_ABI_H
#define FATHOM_ABI_H

#define FATHOM_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* Every system call of libc and of the program goes through here. Returns -errno on failure, as the
 * kernel does. Native: the syscall instruction. Engine: defined by runtime/posix. */
long __fathom_syscall(long number, long a, long b, long c, long d, long e, long f);

/* Makes size bytes at address symbolic, as the input called name: any bytes up to the first 0, of
 * which the first 4096 count; null stands for "unnamed". Names are made unique by the engine (name,
 * name_1, ...). Native replay: the next object of the test (in order of creation) is
 * copied in; without a test the bytes become 0. Objects made before libc's _start_c is entered
 * (arguments, files, n_args: see runtime/posix/args.c) belong to the environment and do not take
 * part in that order. */
void __fathom_make_symbolic(void *address, unsigned long size, const char *name);

/* Ends the path silently when condition cannot hold, otherwise adds it. Native: exit 0 if false. */
void __fathom_assume(int condition);

/* What kind of input a recorded buffer is: how the native program has to be given it on replay. */
enum fathom_input_kind {
  FATHOM_INPUT_ARG = 1, /* command line argument; name is its decimal index in argv (0 = program) */
  FATHOM_INPUT_STDIN = 2, /* contents of standard input */
  FATHOM_INPUT_FILE = 3,  /* contents of the file called name, in the working directory */
  FATHOM_INPUT_ENV = 4    /* NAME=VALUE */
};
/* Records that the size bytes at data (as they are now, symbolic or not) are an input of the
 * program; size may be symbolic. Every test holds their values. Arguments include their final NUL;
 * a symbolic one ends at its first NUL. Engine only. */
void __fathom_input(int kind, const char *name, const void *data, unsigned long size);

/* Makes `most` bytes at address symbolic, as the input called name, of which only the first ones
 * count: how many is returned, and is symbolic too, from 0 to most. isText: most + 1 bytes, and the
 * one behind those that count is NUL. A test says by an input's size how long it is. Engine only.
 */
unsigned long __fathom_sized_input(void *address, unsigned long most, const char *name, int isText);
/* From here on the object at address has this many bytes, symbolic or not: at most what it was made
 * with. Engine only. */
void __fathom_set_size(void *address, unsigned long size);

/* The program wrote size bytes to its standard output (1) or standard error (2). Engine only. */
void __fathom_output(int fd, const void *data, unsigned long size);

/* Ends the path: the program ended with this exit status (0..255). Engine only. */
void __fathom_exit(int status) __attribute__((noreturn));
/* Ends the path: the program was ended by this signal. SIGABRT is reported as a bug of kind abort.
 */
void __fathom_killed(int signal) __attribute__((noreturn));

/* An assertion of the program failed: a bug of kind `assertion`. Native: message, then abort(). */
void __fathom_assert_fail(const char *expression, const char *file, unsigned line,
                          const char *function) __attribute__((noreturn));
/* A bug of the given kind name (cli.md), e.g. "abort"; ends the path. Native: message, then
 * abort(). */
void __fathom_report_bug(const char *kind, const char *message) __attribute__((noreturn));

/* A ledger entry: something that the answer does not cover (for example "fork refused"). The path
 * goes on. */
void __fathom_ledger(const char *category, const char *message);
/* The program asked for a file or folder that does not exist: an assumption in the ledger. The path
 * is concrete. isAmongOwn: it would be in a folder of the program's own, which no host file is in.
 */
void __fathom_missing_file(const char *path, int isAmongOwn);
/* A ledger entry that ends the path. */
void __fathom_unsupported(const char *message) __attribute__((noreturn));

/* 1 if the value has a symbolic part. Native: 0. */
int __fathom_is_symbolic(unsigned long value);
/* 1 if the value is 0 for every input that takes this path. Native: whether it is 0. */
int __fathom_is_zero(unsigned long value);
/* One feasible value, which the path is pinned to from here on; counted in the ledger when several
 * are feasible. Native: the value itself. */
unsigned long __fathom_concretize(unsigned long value, const char *why);
/* Forks over the values from..to (both included) that value can have and returns it as a concrete
 * number. Used for small choices (how many arguments). Native: the value itself. */
unsigned long __fathom_fork_values(unsigned long value, unsigned long from, unsigned long to);

/* Real files, read only, below the sandbox root. Paths are concrete. All return -errno on failure.
 * Engine only. `kind` is the st_mode. Directory entries are returned sorted by name. */
struct fathom_host_stat {
  unsigned long ino, size, mode, nlink, mtime_sec;
  unsigned long uid, gid; /* left at 0 (root) by an engine that does not know */
};
long __fathom_host_stat(const char *path, int follow, struct fathom_host_stat *out);
/* Reads up to size bytes at offset; returns the number read, 0 at the end. */
long __fathom_host_read(const char *path, unsigned long offset, void *buffer, unsigned long size);
/* Copies the name of entry number index ("." and ".." left out); returns its length, 0 past the
 * end. */
long __fathom_host_dirent(const char *path, unsigned long index, char *name, unsigned long size);
long __fathom_host_readlink(const char *path, char *buffer, unsigned long size);

/* The clock when the program starts, in seconds; as old are its files. */
#define FATHOM_MODEL_START 1700000000l

/* What the engine tells the environment model about the world that the native replay will see. */
enum fathom_config_key {
  FATHOM_CONFIG_INTERPRETED = 1, /* 1 in the engine, 0 natively */
  FATHOM_CONFIG_REPLAY =
      2, /* natively: 1 when a test is loaded for __fathom_make_symbolic; engine: 0 */
  FATHOM_CONFIG_UID = 3,   /* real and effective user; default 0 */
  FATHOM_CONFIG_GID = 4,   /* real and effective group; default 0 */
  FATHOM_CONFIG_TTY = 5,   /* bit i: descriptor i (0..2) is a terminal; default 0 (regular files) */
  FATHOM_CONFIG_UMASK = 7, /* default 022 */
  FATHOM_CONFIG_FUZZ_SIZE = 8, /* most bytes given to LLVMFuzzerTestOneInput */
  FATHOM_CONFIG_READABLE = 9,  /* 1: prefer printable bytes in symbolic arguments; default 0 */
  FATHOM_CONFIG_CWD = 10,      /* string: what getcwd says; default /tmp/fathom/work */
  FATHOM_CONFIG_HOST_CWD =
      11, /* string: host folder whose files are seen in the working directory; default none */
  FATHOM_CONFIG_HOST_STDIN =
      12, /* string: host file that is standard input; default: empty, or symbolic where asked for
           */
  FATHOM_CONFIG_FUZZ_STDIN = 13, /* 1: LLVMFuzzerTestOneInput is called with standard input */
  FATHOM_CONFIG_HOST_KINDS =
      14, /* 1: a symbolic name in a host folder forks over the kinds of files there; default 0 */
  FATHOM_CONFIG_SIZED_INPUT =
      15 /* symbolic inputs of up to so many bytes have a symbolic length; default: none has */
};
/* A number; -1 when there is no opinion (the default applies). Native: -1 except for the first two
 * keys. */
long __fathom_config(int key);
/* A string: its length, and a NUL-terminated copy of at most size bytes; -1 when there is no
 * opinion. Engine only. */
long __fathom_config_string(int key, char *buffer, unsigned long size);

/* Memory of exactly size bytes, zeroed, that is not on the heap (free() on it is an invalid free):
 * argument strings, file contents. Named in reports. __fathom_unmap gives it back. Engine only. */
void *__fathom_alloc(unsigned long size, const char *name);
/* Bytes from address to the end of the object it points into; 0 when it points into none. Native:
 * 0. where that makes sense, otherwise 0. */
unsigned long __fathom_object_size(const void *address);
/* Asks for inputs that make condition true when a test is written; the path is not restricted. May
 * be ignored. Native: nothing. */
void __fathom_prefer(int condition);
/* Shows label and value (or its expression) in the log. Native: nothing. */
void __fathom_print(const char *label, unsigned long value);
/* Shows a message in the log. Native: nothing. */
void __fathom_say(const char *message);

/* The thread pointer (x86-64: %fs:0). Native: assembly. */
void *__fathom_get_tp(void);
int __fathom_set_tp(void *pointer);

/* ---- threads ---- */

/* What libc starts a thread with: clone(2) on another stack, whose end is `stack`. Returns the new
 * thread's id, or -errno. Native: assembly. Engine: defined by runtime/posix, as are the next two.
 */
long __fathom_clone(int (*function)(void *), void *stack, int flags, void *argument, int *parentTid,
                    void *threadPointer, int *clearTid);
/* Ends the thread after its own stack was unmapped. */
void __fathom_unmap_self(void *base, unsigned long size) __attribute__((noreturn));
/* A system call that pthread_cancel can interrupt, unless *cancel is set before it begins. */
long __fathom_cancellable_syscall(volatile void *cancel, long number, long a, long b, long c,
                                  long d, long e, long f);

/* Threads of the engine, for the scheduler in runtime/posix. They have numbers from 0 (the first
 * one) to FATHOM_MAX_THREADS - 1, given by the scheduler; one runs at a time. Engine only. */
#define FATHOM_MAX_THREADS 256
/* Makes thread number `thread`, which calls function(argument) when it is first switched to. 0, or
 * -EAGAIN when there is no room for it. The function does not return: it calls __fathom_thread_end.
 */
long __fathom_thread_create(long thread, void (*function)(void *), void *argument,
                            void *threadPointer);
/* The thread that runs stops here; thread number `next` goes on. */
void __fathom_thread_switch(long next);
/* The thread that runs ends: its stack's objects are freed. */
void __fathom_thread_end(long next) __attribute__((noreturn));
/* No thread can go on any more: a bug of kind `deadlock`. waits[i] is what thread number i waits
 * for (the address of a futex), null where that is not known. */
void __fathom_deadlock(const void *const *waits, unsigned long count) __attribute__((noreturn));
/* After so many branches of the program's own code without a switch, the engine calls
 * __fathom_preempted (runtime/posix) in the thread that runs, and so does a native trace variant.
 */
#define FATHOM_SLICE_BRANCHES 10000

/* Memory for mmap: zeroed, page aligned, not counted as a leak. Freed by __fathom_unmap. Engine
 * only. */
void *__fathom_map(unsigned long size);
/* Before that, where it is the program that asks for memory: 1 when it is not to get any
 * (--fail-allocations). Engine only. */
int __fathom_allocation_fails(void);
long __fathom_unmap(void *address, unsigned long size);

#ifdef __cplusplus
}
#endif
#endif
