/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Parses one JSON document and prints it again. */
#include "cJSON.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cJSON *document = cJSON_ParseWithLength((const char *)data, size);
  if (document) free(cJSON_Print(document));
  cJSON_Delete(document);
  return 0;
}
