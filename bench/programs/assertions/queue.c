/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A ring and a stack, with their invariants.
 */
#include "input.h"
enum { size = 8 };
static int ring[size], head, used, stack[size], top;
static int put(int x) {
  if (used == size) return 0;
  ring[(head + used) % size] = x;
  used++;
  return 1;
}
static int get(void) {
  if (used == 0) return -1;
  int x = ring[head];
  head = (head + 1) % size;
  used--;
  return x;
}
int main(void) {
  int n = input(0, 12), i;
  for (i = 0; i < n; i++) {
    put(i);
    assert(used >= 1 && used <= size);
    assert(head >= 0 && head < size);
  }
  assert(used <= 8);
  assert(used < 8);
  for (i = 0; i < 3; i++) {
    int x = get();
    assert(x >= -1);
    assert(x <= 11);
    assert(used >= 0);
    assert(head < 8);
  }
  for (i = 0; i < n; i++)
    if (top < size) stack[top++] = i;
  assert(top <= size);
  assert(top >= 0);
  while (top > 0) {
    top--;
    assert(top < 8);
    assert(stack[top] >= 0);
  }
  assert(top == 0);
  return 0;
}
