/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two sorting functions on the same symbolic array have to agree. One of them is wrong: bubbleSort stops after a pass in
 * which the *last* comparison swapped nothing. The failing assertion comes with an array that shows it.
 */
#include <klee/klee.h>
#include <string.h>

enum { kItems = 4 };

static void insertionSort(int *items, unsigned count) {
  for (unsigned i = 1; i < count; i++) {
    int item = items[i];
    unsigned at = i;
    while (at > 0 && items[at - 1] > item) {
      items[at] = items[at - 1];
      at--;
    }
    items[at] = item;
  }
}

static void bubbleSort(int *items, unsigned count) {
  int done;
  do {
    done = 1;
    for (unsigned i = 0; i + 1 < count; i++) {
      done = 1; /* the bug: belongs before the loop only */
      if (items[i] > items[i + 1]) {
        int swap = items[i];
        items[i] = items[i + 1];
        items[i + 1] = swap;
        done = 0;
      }
    }
  } while (!done);
}

int main(void) {
  int input[kItems], expected[kItems], actual[kItems];
  klee_make_symbolic(input, sizeof input, "input");
  memcpy(expected, input, sizeof input);
  memcpy(actual, input, sizeof input);
  insertionSort(expected, kItems);
  bubbleSort(actual, kItems);
  for (int i = 0; i < kItems; i++)
    klee_assert(expected[i] == actual[i]);
  return 0;
}
