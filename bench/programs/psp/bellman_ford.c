/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bellman and Ford's shortest paths: N nodes, EDGES symbolic weights.
 */
#include "input.h"

#define FAR 1000000
static const int from[] = {0, 0, 1, 2, 1, 3, 2, 0}, to[] = {1, 2, 2, 1, 3, 2, 3, 3};

int main(void) {
  int weight[EDGES], distance[NODES];
  for (int e = 0; e < EDGES; e++) weight[e] = small(127);
  for (int i = 0; i < NODES; i++) distance[i] = i ? FAR : 0;
  for (int round = 1; round < NODES; round++)
    for (int e = 0; e < EDGES; e++)
      if (distance[from[e]] < FAR && distance[from[e]] + weight[e] < distance[to[e]])
        distance[to[e]] = distance[from[e]] + weight[e];
  for (int e = 0; e < EDGES; e++)
    assert(distance[from[e]] >= FAR || distance[to[e]] <= distance[from[e]] + weight[e]);
  return 0;
}
