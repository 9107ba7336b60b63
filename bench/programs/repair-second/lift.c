/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How far a lift goes through its floors, and how often it turns.
 */
#include <stdio.h>

int main(void) {
  int n, floor = 0, next, way = 0, turns = 0, direction = 0, now;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 1 || n > 10) return 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%d", &next) != 1 || next < 0 || next > 9) return 1;
    now = 0;
    if (next > floor) {
      way = way + next - floor;
      now = 1;
    }
    if (next < floor) {
      way = way + floor - next;
      now = 2;
    }
    if (now != 0 && direction != 0 && now != direction) turns = turns + 1;
    if (now != 0) direction = now;
    floor = next;
  }
  printf("%d floors, %d turns, ends at %d\n", way, turns, floor);
  return 0;
}
