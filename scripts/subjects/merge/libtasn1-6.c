/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * libtasn1: DER and BER, decoded and encoded. */
#include "driver.h"

#include <libtasn1.h>
#include <stdlib.h>

void prepare(void) {}

/* Every decoder takes the bytes and their number. */
struct input {
  unsigned char *bytes;
  int length;
};

static struct input input(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("der", &length);
  return (struct input){bytes, (int)length};
}

static void run_asn1_get_tag_der(void) {
  struct input in = input();
  unsigned char class = 0;
  int used = 0;
  unsigned long tag = 0;
  show((uint64_t)asn1_get_tag_der(in.bytes, in.length, &class, &used, &tag));
  show((uint64_t)tag);
  free(in.bytes);
}

static void run_asn1_get_length_der(void) {
  struct input in = input();
  int used = 0;
  show((uint64_t)asn1_get_length_der(in.bytes, in.length, &used));
  free(in.bytes);
}

static void run_asn1_get_length_ber(void) {
  struct input in = input();
  int used = 0;
  show((uint64_t)asn1_get_length_ber(in.bytes, in.length, &used));
  free(in.bytes);
}

static void run_asn1_get_octet_der(void) {
  struct input in = input();
  int used = 0, length = 0, room = (int)room_for(1, 1);
  unsigned char *out = malloc((size_t)room);
  show((uint64_t)asn1_get_octet_der(in.bytes, in.length, &used, out, room, &length));
  free(out);
  free(in.bytes);
}

static void run_asn1_get_bit_der(void) {
  struct input in = input();
  int used = 0, bits = 0, room = (int)room_for(1, 1);
  unsigned char *out = malloc((size_t)room);
  show((uint64_t)asn1_get_bit_der(in.bytes, in.length, &used, out, room, &bits));
  free(out);
  free(in.bytes);
}

static void run_asn1_get_object_id_der(void) {
  struct input in = input();
  int used = 0, room = (int)room_for(12, 32);
  char *out = malloc((size_t)room);
  show((uint64_t)asn1_get_object_id_der(in.bytes, in.length, &used, out, room));
  free(out);
  free(in.bytes);
}

static void decode_simple_der(unsigned type) {
  struct input in = input();
  const unsigned char *value = NULL;
  unsigned length = 0;
  show((uint64_t)asn1_decode_simple_der(type, in.bytes, (unsigned)in.length, &value, &length));
  show(length);
  free(in.bytes);
}

static void run_asn1_decode_simple_der(void) { decode_simple_der(ASN1_ETYPE_UTF8_STRING); }

static void run_asn1_decode_simple_ber(void) {
  struct input in = input();
  unsigned char *value = NULL;
  unsigned length = 0, used = 0;
  show((uint64_t)asn1_decode_simple_ber(ASN1_ETYPE_OCTET_STRING, in.bytes, (unsigned)in.length,
                                        &value, &length, &used));
  free(value);
  free(in.bytes);
}

static void run_asn1_object_id_der(void) {
  char *text = symbolic_text("oid");
  int room = (int)room_for(1, 16);
  unsigned char *out = malloc((size_t)room);
  show((uint64_t)asn1_object_id_der(text, out, &room, 0));
  free(out);
  free(text);
}

static void run_asn1_octet_der(void) {
  struct input in = input();
  int length = 0;
  unsigned char *out = malloc(room_for(1, 16));
  asn1_octet_der(in.bytes, in.length, out, &length);
  show((uint64_t)length);
  free(out);
  free(in.bytes);
}

static void run_asn1_bit_der(void) {
  struct input in = input();
  int length = 0;
  unsigned char *out = malloc(room_for(1, 16));
  asn1_bit_der(in.bytes, in.length * 8, out, &length);
  show((uint64_t)length);
  free(out);
  free(in.bytes);
}

static void run_asn1_encode_simple_der(void) {
  char *text = symbolic_text("oid");
  unsigned length = 0;
  for (const char *p = text; *p; p++) length++;
  unsigned char head[ASN1_MAX_TL_SIZE];
  unsigned room = sizeof head;
  show((uint64_t)asn1_encode_simple_der(ASN1_ETYPE_PRINTABLE_STRING, (unsigned char *)text, length,
                                        head, &room));
  free(text);
}

const struct driver drivers[] = {DRIVER(asn1_get_tag_der),
                                 DRIVER(asn1_get_length_der),
                                 DRIVER(asn1_get_length_ber),
                                 DRIVER(asn1_get_octet_der),
                                 DRIVER(asn1_get_bit_der),
                                 DRIVER(asn1_get_object_id_der),
                                 DRIVER(asn1_decode_simple_der),
                                 DRIVER(asn1_decode_simple_ber),
                                 DRIVER(asn1_object_id_der),
                                 DRIVER(asn1_octet_der),
                                 DRIVER(asn1_bit_der),
                                 DRIVER(asn1_encode_simple_der),
                                 {NULL, NULL}};
