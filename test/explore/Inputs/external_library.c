/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A library that an analysed program uses and that has no bitcode.
 */
double half(double x) { return x / 2; }
int twice(int x) { return 2 * x; }
int fragile(int x) {
  if (x == 7)
    *(volatile int *)0 = 1;
  return x + 1;
}
