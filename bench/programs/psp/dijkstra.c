/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Dijkstra's shortest paths in a complete graph with symbolic weights.
 */
#include "input.h"

#define FAR 1000000

int main(void) {
  int weight[NODES][NODES], distance[NODES], done[NODES] = {0};
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < i; j++) weight[i][j] = weight[j][i] = small(127);
  for (int i = 0; i < NODES; i++) distance[i] = i ? FAR : 0;
  for (int round = 0; round < NODES; round++) {
    int next = -1;
    for (int i = 0; i < NODES; i++)
      if (!done[i] && (next < 0 || distance[i] < distance[next])) next = i;
    done[next] = 1;
    for (int i = 0; i < NODES; i++)
      if (!done[i] && distance[next] + weight[next][i] < distance[i])
        distance[i] = distance[next] + weight[next][i];
  }
  for (int i = 1; i < NODES; i++) assert(distance[i] <= weight[0][i]);
  return 0;
}
