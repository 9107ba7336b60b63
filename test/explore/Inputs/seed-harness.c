/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A harness that tells its input's first byte, and whether it is short.
 */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile int kind = 0;
  if (size && data[0] == 'z') kind = 1;
  if (size < 6) kind += 2;
  return 0;
}
