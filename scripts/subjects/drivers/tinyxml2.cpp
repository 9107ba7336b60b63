// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a document and prints it again.
#include "tinyxml2.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tinyxml2::XMLDocument document;
  if (document.Parse(reinterpret_cast<const char *>(data), size) == tinyxml2::XML_SUCCESS) {
    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
  }
  return 0;
}
