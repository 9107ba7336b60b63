// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads a document and writes it again.
#include "yaml-cpp/yaml.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    YAML::Dump(YAML::Load(std::string(reinterpret_cast<const char *>(data), size)));
  } catch (const YAML::Exception &) {
  }
  return 0;
}
