// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a document and writes it to a stream.
#include "pugixml.hpp"

#include <cstddef>
#include <cstdint>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pugi::xml_document document;
  if (document.load_buffer(data, size)) {
    std::ostringstream out;
    document.save(out);
  }
  return 0;
}
