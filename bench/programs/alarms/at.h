/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * AT(i, n): an index of n elements. With TRUTH, what comes of it is noted like that of an
 * assertion.
 */
#ifdef TRUTH
static int indexAt(int line, int i, int n) {
  note(line, i >= 0 && i < n);
  return i;
}
#define AT(i, n) indexAt(__LINE__, (i), (n))
#else
#define AT(i, n) (i)
#endif
