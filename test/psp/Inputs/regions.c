/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Assertions that some inputs fail, over variables of all shapes: what the abstract interpreter
 * knows of them must contain every state that was seen to fail. Reads a selector and two bytes.
 */
#include <assert.h>
#include <stdio.h>

struct pair { short first; unsigned char second; };
static struct pair kept[4];
static int numbers[8];

static void large(unsigned u) { assert(u != 0x80000041u); }
static void negative(int n) { assert(n > -190); }
static void member(struct pair *p) { assert(p->second != 'B'); }
static void element(int i) { assert(numbers[i] < 100); }
static void related(int low, int high) { assert(high - low != 3); }
static void byte(unsigned char c) { assert(c < 250); }
static int divided(int a, int b) { return a / (b - 65); }

int main(void) {
  int which = getchar(), a = getchar(), b = getchar();
  if (which < 0 || a < 0 || b < 0) return 0;
  switch (which % 7) {
  case 0: large(0x80000000u + (unsigned)a); break;
  case 1: negative(-a); break;
  case 2:
    kept[a & 3].second = (unsigned char)b;
    member(&kept[a & 3]);
    break;
  case 3:
    numbers[a & 7] = b;
    element(a & 7);
    break;
  case 4:
    if (a <= b) related(a, b);
    break;
  case 5: byte((unsigned char)(a + b)); break;
  case 6: return divided(a, b);
  }
  return 0;
}
