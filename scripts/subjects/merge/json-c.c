/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * json-c: the tokener, strings, printbuf, pointers. */
#include "driver.h"

#include <json-c/json.h>
#include <json-c/json_pointer.h>
#include <json-c/json_util.h>
#include <json-c/printbuf.h>
#include <stdlib.h>

/* The default hash reads whole words beyond the end of a key on purpose. */
void prepare(void) { json_global_set_string_hash(JSON_C_STR_HASH_PERLLIKE); }

static void run_json_tokener_parse_ex(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("bytes", &length);
  struct json_tokener *tokener = json_tokener_new();
  struct json_object *object = json_tokener_parse_ex(tokener, (const char *)bytes, (int)length);
  show((uint64_t)json_tokener_get_error(tokener));
  json_object_put(object);
  json_tokener_free(tokener);
  free(bytes);
}

static void run_json_tokener_parse(void) {
  char *text = symbolic_text("text");
  struct json_object *object = json_tokener_parse(text);
  show_found(object);
  json_object_put(object);
  free(text);
}

static void run_json_object_to_json_string(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("bytes", &length);
  struct json_object *object = json_object_new_string_len((const char *)bytes, (int)length);
  show_found(json_object_to_json_string(object));
  json_object_put(object);
  free(bytes);
}

static void run_json_object_get_int64(void) {
  char *text = symbolic_text("text");
  struct json_object *object = json_object_new_string(text);
  show((uint64_t)json_object_get_int64(object));
  json_object_put(object);
  free(text);
}

static void run_json_parse_int64(void) {
  char *text = symbolic_text("text");
  int64_t value = 0;
  int status = json_parse_int64(text, &value);
  show((uint64_t)status);
  show((uint64_t)value);
  free(text);
}

static void run_json_pointer_get(void) {
  char *text = symbolic_text("text");
  struct json_object *object = json_tokener_parse("{\"a\": {\"b\": [1, 2, {\"c/d\": 3}]}}");
  struct json_object *found = NULL;
  show((uint64_t)json_pointer_get(object, text, &found));
  json_object_put(object);
  free(text);
}

static void run_printbuf_memappend(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("bytes", &length);
  struct printbuf *buffer = printbuf_new();
  show((uint64_t)printbuf_memappend(buffer, (const char *)bytes, (int)length));
  show((uint64_t)printbuf_length(buffer));
  printbuf_free(buffer);
  free(bytes);
}

static void run_sprintbuf(void) {
  char *text = symbolic_text("text");
  struct printbuf *buffer = printbuf_new();
  show((uint64_t)sprintbuf(buffer, "<%s>", text));
  printbuf_free(buffer);
  free(text);
}

const struct driver drivers[] = {
    DRIVER(json_tokener_parse_ex), DRIVER(json_tokener_parse), DRIVER(json_object_to_json_string),
    DRIVER(json_object_get_int64), DRIVER(json_parse_int64),   DRIVER(json_pointer_get),
    DRIVER(printbuf_memappend),    DRIVER(sprintbuf),          {NULL, NULL}};
