// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the input for a format of a number, a text and a floating-point number.
#include "fmt/format.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    (void)fmt::format(fmt::runtime(fmt::string_view(reinterpret_cast<const char *>(data), size)),
                      42, "text", 1.5);
  } catch (const fmt::format_error &) {
  }
  return 0;
}
