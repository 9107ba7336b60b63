// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the input for compressed data.
#include "snappy.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *compressed = reinterpret_cast<const char *>(data);
  size_t length = 0;
  if (!snappy::GetUncompressedLength(compressed, size, &length) || length > 4096) return 0;
  std::string text;
  snappy::Uncompress(compressed, size, &text);
  return 0;
}
