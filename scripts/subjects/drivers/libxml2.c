/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Parses one XML document, errors kept quiet. */
#include <libxml/parser.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  xmlDocPtr document = xmlReadMemory((const char *)data, (int)size, "input.xml", NULL,
                                     XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
  xmlFreeDoc(document);
  xmlCleanupParser();
  return 0;
}
