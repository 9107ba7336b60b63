/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * KLEE's intrinsics, so that programs written for KLEE compile and run unchanged, interpreted and
 * natively. Written from KLEE's documentation. Where an intrinsic has no counterpart the comment
 * says what happens instead.
 */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory at a fixed address. Natively mapped there; not modelled when interpreted: the path ends
 * with a ledger entry. */
void klee_define_fixed_object(void *addr, size_t nbytes);

/* Makes the object at addr, of nbytes bytes, symbolic. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* A symbolic int with begin <= value < end. */
int klee_range(int begin, int end, const char *name);
/* A symbolic int. */
int klee_int(const char *name);

/* Ends the path without a test (natively: exits with status). */
__attribute__((noreturn)) void klee_silent_exit(int status);
/* Ends the path with a bug of kind abort. */
__attribute__((noreturn)) void klee_abort(void);
/* Ends the path with a bug: kind assertion if suffix contains "assert", otherwise abort. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);

/* Bytes of the object that ptr points to the start of. Natively always 0. */
size_t klee_get_obj_size(void *ptr);
/* Shows the value of the first further argument, or its expression, in the log. */
void klee_print_expr(const char *msg, ...);
/* A symbolic number in [0, n). */
uintptr_t klee_choose(uintptr_t n);

unsigned klee_is_symbolic(uintptr_t n);
/* 1 when the program runs natively to replay a test. */
unsigned klee_is_replay(void);

/* The path goes on only where condition is not 0. */
void klee_assume(uintptr_t condition);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
/* Asks for tests in which condition holds. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
/* Nothing to do: only heap objects can leak. */
void klee_mark_global(void *object);

/* One possible value. Unlike KLEE's the path is pinned to it, and the ledger says so. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* Reads the first and the last of size bytes: a memory error if they are not there. */
void klee_check_memory_access(const void *address, size_t size);
/* Turning forking off is not supported: a ledger entry, and forking goes on. */
void klee_set_forking(unsigned enable);
/* Calls of one function going to another cannot be redirected at run time: the path ends with a
 * ledger entry. */
void klee_alias_function(const char *fn_name, const char *new_fn_name);
/* Shows where the path is, in the log. */
void klee_stack_trace(void);
/* Shows the value of arg (KLEE: its range) in the log. */
void klee_print_range(const char *name, int arg);

/* With --merge, the paths between the first two are merged (docs/merging.md); klee_merge does
 * nothing. */
void klee_open_merge(void);
void klee_close_merge(void);
void klee_merge(void);

__attribute__((noreturn)) void __fathom_assert_fail(const char *expression, const char *file,
                                                    unsigned line, const char *function);
#define klee_assert(expr)                                                                          \
  ((expr) ? (void)0 : __fathom_assert_fail(#expr, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif
#endif
