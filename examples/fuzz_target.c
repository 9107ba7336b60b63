/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A libFuzzer harness: no main, fathom-cc links one. The parser believes a length field, so that a short input with a
 * large one makes it read past the end.
 *
 *     fathom-cc -g fuzz_target.c -o fuzz_target && fathom explore fuzz_target
 */
#include <stddef.h>
#include <stdint.h>

/* Format: 'F', length, payload, and a checksum over the payload after it. */
static int parse(const uint8_t *data, size_t size) {
  if (size < 3 || data[0] != 'F')
    return -1;
  size_t length = data[1];
  uint8_t sum = 0;
  for (size_t i = 0; i < length; i++) /* the bug: length may be larger than size - 3 */
    sum = (uint8_t)(sum + data[2 + i]);
  return sum == data[2 + length] ? (int)length : -2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  parse(data, size);
  return 0;
}
