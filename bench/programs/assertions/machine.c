/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A state machine in a loop.
 */
#include "input.h"
enum { idle, running, done };
static int state, runs;
static void step(int event) {
  switch (state) {
  case idle:
    if (event) state = running;
    break;
  case running:
    runs++;
    if (!event) state = done;
    break;
  default: break;
  }
}
int main(void) {
  for (int i = 0; i < 4; i++) {
    step(input(0, 1));
    assert(state >= idle && state <= done);
    assert(runs >= 0);
    if (runs > 0) assert(state != idle);
  }
  assert(runs <= 3);
  assert(runs < 3);
  if (state == idle) assert(runs == 0);
  if (state == done) assert(runs > 0);
  assert(state != done);
  return 0;
}
