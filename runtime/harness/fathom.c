/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * fathom.h in terms of the engine's intrinsics.
 */
#include <fathom.h>
#include <fathom/abi.h>

void fathom_symbolic(void *address, size_t size, const char *name) {
  __fathom_make_symbolic(address, size, name);
}

#define FATHOM_VALUE(function, type)                                                               \
  type function(const char *name) {                                                                \
    type value;                                                                                    \
    __fathom_make_symbolic(&value, sizeof value, name);                                            \
    return value;                                                                                  \
  }
FATHOM_VALUE(fathom_char, char)
FATHOM_VALUE(fathom_int, int)
FATHOM_VALUE(fathom_uint, unsigned)
FATHOM_VALUE(fathom_long, long)
FATHOM_VALUE(fathom_size, size_t)
FATHOM_VALUE(fathom_int64, int64_t)
FATHOM_VALUE(fathom_uint64, uint64_t)
FATHOM_VALUE(fathom_float, float)
FATHOM_VALUE(fathom_double, double)

_Bool fathom_bool(const char *name) {
  uint8_t value;
  __fathom_make_symbolic(&value, sizeof value, name);
  __fathom_assume(value <= 1);
  return value & 1;
}

long fathom_range(long low, long high, const char *name) {
  long value = fathom_long(name);
  __fathom_assume((value >= low) & (value <= high));
  return value;
}

unsigned fathom_choose(unsigned count, const char *name) {
  unsigned value = fathom_uint(name);
  __fathom_assume(value < count);
  return (unsigned)__fathom_fork_values(value, 0, count - 1);
}

uint8_t *fathom_bytes(void *buffer, size_t size, const char *name) {
  if (size) __fathom_make_symbolic(buffer, size, name);
  return buffer;
}

char *fathom_string(char *buffer, size_t size, const char *name) {
  fathom_bytes(buffer, size, name);
  if (size) buffer[size - 1] = 0;
  return buffer;
}

void fathom_assume(_Bool condition) { __fathom_assume(condition); }
void fathom_prefer(_Bool condition) { __fathom_prefer(condition); }

void fathom_assertion_failed(const char *expression, const char *file, unsigned line,
                             const char *function) {
  __fathom_assert_fail(expression, file, line, function);
}

void fathom_unreachable(const char *message) { __fathom_report_bug("unreachable", message); }

void fathom_exit(int status) {
  __fathom_syscall(231 /* exit_group */, status, 0, 0, 0, 0, 0);
  __builtin_unreachable();
}

/* The engine knows them by their names. */
void fathom_open_merge(void) {}
void fathom_close_merge(void) {}

_Bool fathom_is_symbolic(uint64_t value) { return __fathom_is_symbolic(value) != 0; }
uint64_t fathom_concretize(uint64_t value) {
  return __fathom_concretize(value, "fathom_concretize");
}
_Bool fathom_is_interpreted(void) { return __fathom_config(FATHOM_CONFIG_INTERPRETED) == 1; }
void fathom_print(const char *label, uint64_t value) { __fathom_print(label, value); }
