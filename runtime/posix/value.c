/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Numbers that the program passes to a system call and that may be symbolic. Most sizes and offsets
 * have to be numbers in the model; how one becomes a number decides what the analysis can still
 * see, so it is done here and nowhere else.
 */
#include "state.h"

/* Up to this many different values a count is forked over; above it, it is pinned to one value
 * (ledger). */
enum { kForkedValues = 16 };

usize __fathom_countUpTo(usize count, usize limit, const char *why) {
  if (count >= limit) return limit;
  if (!__fathom_is_symbolic(count)) return count;
  if (limit <= kForkedValues) return __fathom_fork_values(count, 0, limit - 1);
  return __fathom_concretize(count, why);
}

/* What a buffer can give of a symbolic count; *limit becomes the most that this can be. */
static usize countIn(const void *buffer, usize count, usize *limit) {
  usize available = __fathom_object_size(buffer);
  if (available >= *limit) return count;
  if (count > available) {
    (void)*((const volatile byte *)buffer +
            available); /* the program's overread, reported as such */
    count = available;
  }
  *limit = available;
  return count;
}

usize __fathom_countFrom(const void *buffer, usize count, usize limit, const char *why) {
  if (__fathom_is_symbolic(count)) count = countIn(buffer, count, &limit);
  return __fathom_countUpTo(count, limit, why);
}

int __fathom_staysSymbolic(usize value) {
  long most = __fathom_config(FATHOM_CONFIG_SIZED_INPUT);
  return most > 0 && __fathom_is_symbolic(value) && value <= (usize)most;
}

usize __fathom_sizeUpTo(usize count, usize limit, const char *why) {
  if (count >= limit) return limit;
  if (!__fathom_is_symbolic(count) || __fathom_staysSymbolic(count)) return count;
  return __fathom_countUpTo(count, limit, why);
}

usize __fathom_sizeFrom(const void *buffer, usize count, usize limit, const char *why) {
  if (__fathom_is_symbolic(count)) {
    count = countIn(buffer, count, &limit);
    if (__fathom_staysSymbolic(count)) return count;
  }
  return __fathom_countUpTo(count, limit, why);
}

long __fathom_pinned(long value, const char *why) {
  return __fathom_is_symbolic((usize)value) ? (long)__fathom_concretize((usize)value, why) : value;
}
