// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a value and writes it again.
#include <json/json.h>

#include <cstdint>
#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = reinterpret_cast<const char *>(data);
  std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
  try {
    Json::Value root;
    std::string errors;
    if (reader->parse(text, text + size, &root, &errors))
      Json::writeString(Json::StreamWriterBuilder(), root);
  } catch (const Json::Exception &) {
  }
  return 0;
}
