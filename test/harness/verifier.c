// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=3 tests=3 bugs=assertion
// __VERIFIER_nondet_* of all types; assume; reach_error.
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  if (__VERIFIER_nondet_bool())
    return __VERIFIER_nondet_char() == 'c'; // no branch: one path
  short s = __VERIFIER_nondet_short();
  unsigned short u = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(s > 0 && u == 65535);
  if ((unsigned short)(s + u) >= u) // s + 65535 wraps to s - 1
    return 2;
  if (__VERIFIER_nondet_long() == 77 && __VERIFIER_nondet_ulong() > 5)
    reach_error();
  return 0;
}
