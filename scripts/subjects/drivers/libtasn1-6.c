/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Decodes the head of one DER value, and the value by what its tag says. */
#include <libtasn1.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned char class;
  int headLength, lengthLength, used, bits;
  unsigned long tag;
  char text[64];
  unsigned char bytes[64];
  int total = (int)size;
  if (total == 0 || asn1_get_tag_der(data, total, &class, &headLength, &tag) != ASN1_SUCCESS)
    return 0;
  asn1_get_length_ber(data + headLength, total - headLength, &lengthLength);
  const unsigned char *value = data + headLength;
  int rest = total - headLength;
  switch (tag) {
  case ASN1_TAG_OBJECT_ID: asn1_get_object_id_der(value, rest, &used, text, sizeof text); break;
  case ASN1_TAG_BIT_STRING: asn1_get_bit_der(value, rest, &used, bytes, sizeof bytes, &bits); break;
  case ASN1_TAG_OCTET_STRING:
    asn1_get_octet_der(value, rest, &used, bytes, sizeof bytes, &bits);
    break;
  default: {
    const unsigned char *string;
    unsigned stringLength;
    asn1_decode_simple_ber(ASN1_ETYPE_UTF8_STRING, data, (unsigned)size, (unsigned char **)&string,
                           &stringLength, 0);
  }
  }
  return 0;
}
