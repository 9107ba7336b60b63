/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Test-Comp's and SV-COMP's nondeterministic values. Programs declare these themselves, with the
 * types they like; all are weak, because some programs also define a few. Objects are named after
 * the function: Test-Comp's test suites list values in the order of these calls.
 */
#include <fathom/abi.h>

#define FATHOM_NONDET(suffix, type)                                                                \
  __attribute__((weak)) type __VERIFIER_nondet_##suffix(void) {                                    \
    type value;                                                                                    \
    __fathom_make_symbolic(&value, sizeof value, "__VERIFIER_nondet_" #suffix);                    \
    return value;                                                                                  \
  }

FATHOM_NONDET(char, char)
FATHOM_NONDET(schar, signed char)
FATHOM_NONDET(uchar, unsigned char)
FATHOM_NONDET(short, short)
FATHOM_NONDET(ushort, unsigned short)
FATHOM_NONDET(int, int)
FATHOM_NONDET(uint, unsigned)
FATHOM_NONDET(unsigned, unsigned)
FATHOM_NONDET(unsigned_int, unsigned)
FATHOM_NONDET(long, long)
FATHOM_NONDET(ulong, unsigned long)
FATHOM_NONDET(longlong, long long)
FATHOM_NONDET(ulonglong, unsigned long long)
FATHOM_NONDET(int128, __int128)
FATHOM_NONDET(uint128, unsigned __int128)
FATHOM_NONDET(float, float)
FATHOM_NONDET(double, double)
FATHOM_NONDET(size_t, unsigned long)
FATHOM_NONDET(ssize_t, long)
FATHOM_NONDET(loff_t, long long)
FATHOM_NONDET(off_t, long)
FATHOM_NONDET(sector_t, unsigned long)
FATHOM_NONDET(pthread_t, unsigned long)
FATHOM_NONDET(S8, signed char)
FATHOM_NONDET(S16, short)
FATHOM_NONDET(S32, int)
FATHOM_NONDET(S64, long)
FATHOM_NONDET(u8, unsigned char)
FATHOM_NONDET(u16, unsigned short)
FATHOM_NONDET(u32, unsigned)
FATHOM_NONDET(u64, unsigned long)
FATHOM_NONDET(U8, unsigned char)
FATHOM_NONDET(U16, unsigned short)
FATHOM_NONDET(U32, unsigned)
FATHOM_NONDET(U64, unsigned long)

__attribute__((weak)) _Bool __VERIFIER_nondet_bool(void) {
  unsigned char value;
  __fathom_make_symbolic(&value, sizeof value, "__VERIFIER_nondet_bool");
  __fathom_assume(value <= 1);
  return value & 1;
}

/* A pointer of any value would point nowhere in a program; null is the one value that programs can
 * handle. */
__attribute__((weak)) void *__VERIFIER_nondet_pointer(void) {
  __fathom_ledger("harness", "a nondeterministic pointer is taken to be null");
  return 0;
}
__attribute__((weak)) char *__VERIFIER_nondet_pchar(void) { return __VERIFIER_nondet_pointer(); }

__attribute__((weak)) void __VERIFIER_nondet_memory(void *memory, unsigned long size) {
  if (size) __fathom_make_symbolic(memory, size, "__VERIFIER_nondet_memory");
}
