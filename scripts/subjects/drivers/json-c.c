/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Parses one JSON document and prints it again. */
#include <json-c/json.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct json_tokener *tokener = json_tokener_new();
  struct json_object *object = json_tokener_parse_ex(tokener, (const char *)data, (int)size);
  if (object) {
    json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY);
    json_object_put(object);
  }
  json_tokener_free(tokener);
  return 0;
}
