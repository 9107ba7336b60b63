// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of two bytes from standard input: kinds and lengths, of which a campaign on its seeds sees some. A division fails for one record that no seed has.
#include <stdio.h>
#include <unistd.h>

static int weigh(int kind, int length) {
  int weight = 0;
  if (kind < 100) weight += 1;
  if (length < 100) weight += 2;
  if (kind > 200) weight += 4;   // not below 100 at once
  if (length % 2 == 1) weight += 8;
  if (kind == 77 && length == 13) return 100 / (length - 13);
  return weight;
}

int main(void) {
  unsigned char in[2];
  if (read(0, in, 2) != 2) return 1;
  return weigh(in[0], in[1]);
}
