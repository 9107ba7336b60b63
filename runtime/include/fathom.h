/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * fathom.h: say inside a program what is symbolic and what has to hold.
 *
 *     #include <fathom.h>
 *     int main(void) {
 *       int balance = fathom_int("balance");
 *       fathom_assume(balance >= 0);
 *       fathom_assert(withdraw(balance, 10) >= 0);
 *     }
 *
 * Compile with fathom-cc, explore with `fathom explore`. Natively the same program replays one
 * test: every call that makes something symbolic gives the test's value (FATHOM_REPLAY_KTEST), or
 * zeros without a test.
 */
#ifndef FATHOM_H
#define FATHOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define FATHOM_NORETURN [[noreturn]]
#define FATHOM_BOOL bool
#else
#define FATHOM_NORETURN _Noreturn
#define FATHOM_BOOL _Bool
#endif

/* Makes size bytes at address symbolic. The name is how tests call them; it is made unique. */
void fathom_symbolic(void *address, size_t size, const char *name);

/* One symbolic value. */
FATHOM_BOOL fathom_bool(const char *name);
char fathom_char(const char *name);
int fathom_int(const char *name);
unsigned fathom_uint(const char *name);
long fathom_long(const char *name);
size_t fathom_size(const char *name);
int64_t fathom_int64(const char *name);
uint64_t fathom_uint64(const char *name);
float fathom_float(const char *name);
double fathom_double(const char *name);

/* A symbolic number from low to high, both included. */
long fathom_range(long low, long high, const char *name);

/* A concrete number below count: one path for each. For small choices. */
unsigned fathom_choose(unsigned count, const char *name);

/* Fills buffer with size symbolic bytes; fathom_string with size - 1 of them and a final NUL (a NUL
 * before it makes the string shorter). Both return buffer. */
uint8_t *fathom_bytes(void *buffer, size_t size, const char *name);
char *fathom_string(char *buffer, size_t size, const char *name);

/* The path goes on only with inputs for which condition holds; it ends silently where there are
 * none. */
void fathom_assume(FATHOM_BOOL condition);

/* A bug of kind `assertion` for inputs for which condition does not hold. */
#define fathom_assert(condition)                                                                   \
  ((condition) ? (void)0 : fathom_assertion_failed(#condition, __FILE__, __LINE__, __func__))
FATHOM_NORETURN void fathom_assertion_failed(const char *expression, const char *file,
                                             unsigned line, const char *function);

/* A bug of kind `unreachable`: this place must not be reached. */
FATHOM_NORETURN void fathom_unreachable(const char *message);

/* Ends this path here; a test is still written. */
FATHOM_NORETURN void fathom_exit(int status);

/* Prefer inputs for which condition holds when a test is written; no path is lost. */
void fathom_prefer(FATHOM_BOOL condition);

/* With fathom explore --merge, the paths that the code in between has for one input become one
 * where they come to fathom_close_merge (docs/merging.md). Otherwise, and natively, they do
 * nothing. */
void fathom_open_merge(void);
void fathom_close_merge(void);

/* Has this value a symbolic part? Always 0 natively. */
FATHOM_BOOL fathom_is_symbolic(uint64_t value);
/* One possible value; the path is pinned to it (ledger). */
uint64_t fathom_concretize(uint64_t value);
/* Is this the engine (1) or the native program (0)? */
FATHOM_BOOL fathom_is_interpreted(void);
/* Shows a value, or its expression, in the log of the engine. */
void fathom_print(const char *label, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
