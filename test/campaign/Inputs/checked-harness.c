// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One byte is read too far; natively nothing happens.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  // More than --test-memory: there is none.
  char *volatile huge = malloc((size_t)100 << 20);
  if (huge) abort();
  char *large = malloc(300000);
  memset(large, 1, 1000);
  free(large);
  char *copy = malloc(bytes + 1);
  memcpy(copy, data, bytes);
  copy[bytes] = 0;
  int last = bytes > 2 && copy[0] > 'f' ? data[bytes] : 0; // BEYOND
  free(copy);
  return last & 0;
}
