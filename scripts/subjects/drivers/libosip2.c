/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Parses one SIP message and prints it again. */
#include <osipparser2/osip_parser.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  osip_message_t *message;
  char *text;
  size_t length;
  parser_init();
  if (osip_message_init(&message) != 0) return 0;
  if (osip_message_parse(message, (const char *)data, size) == 0 &&
      osip_message_to_str(message, &text, &length) == 0)
    osip_free(text);
  osip_message_free(message);
  return 0;
}
