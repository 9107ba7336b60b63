/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program as Test-Comp and SV-COMP have them: it declares what it uses, and calling reach_error is the property. The
 * error is reachable: the sum overflows for large steps.
 *
 *     fathom explore testcomp.c --test-comp
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
  unsigned char rounds = __VERIFIER_nondet_uchar();
  unsigned sum = 0;
  __VERIFIER_assume(rounds <= 4);
  for (unsigned char i = 0; i < rounds; i++) {
    int step = __VERIFIER_nondet_int();
    __VERIFIER_assume(step > 0);
    unsigned before = sum;
    sum += (unsigned)step;
    if (sum < before)
      reach_error();
  }
  return 0;
}
