// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first byte chooses where the input is cut: an expression, and a text to match.
#include "re2/re2.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  const size_t cut = 1 + data[0] % (size - 1);
  const char *text = reinterpret_cast<const char *>(data);
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 16);
  const RE2 expression(std::string(text + 1, cut - 1), options);
  if (expression.ok()) RE2::PartialMatch(std::string(text + cut, size - cut), expression);
  return 0;
}
