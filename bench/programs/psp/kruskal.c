/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kruskal's minimum spanning tree: edges are sorted by symbolic weights.
 */
#include "input.h"

static const int from[] = {0, 0, 0, 1, 1, 2}, to[] = {1, 2, 3, 2, 3, 3};

int main(void) {
  int weight[EDGES], order[EDGES], tree[4] = {0, 1, 2, 3}, taken = 0, last = -1;
  for (int e = 0; e < EDGES; e++) {
    weight[e] = small(255);
    int j = e;
    for (; j > 0 && weight[order[j - 1]] > weight[e]; j--) order[j] = order[j - 1];
    order[j] = e;
  }
  for (int k = 0; k < EDGES; k++) {
    int a = tree[from[order[k]]], b = tree[to[order[k]]];
    if (a == b) continue;
    for (int i = 0; i < 4; i++)
      if (tree[i] == b) tree[i] = a;
    taken++;
    assert(weight[order[k]] >= last);
    last = weight[order[k]];
  }
  assert(taken == 3);
  return 0;
}
