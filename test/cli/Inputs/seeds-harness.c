// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight sides, of which F... and a shorter input cover five.
#include <stddef.h>
#include <stdint.h>

static volatile int seen;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4) return 0;       // 2 sides
  if (data[0] != 'F') return 0; // 2
  if (data[1] == 'A') seen = 1; // 2
  if (data[2] == 'T') seen = 2; // 2
  return 0;
}
