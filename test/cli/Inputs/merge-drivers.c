// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two functions for bench/merge: one whose loop has a pattern, and one without a loop.
#include "driver.h"
#include <stdlib.h>

void prepare(void) {}

static size_t skip(const char *text) {
  size_t i = 0;
  while (text[i] == ' ') i++;
  return i;
}

static void run_skip(void) {
  char *text = symbolic_text("text");
  show(skip(text));
  free(text);
}

static void run_first(void) {
  size_t length;
  unsigned char *bytes = symbolic_bytes("bytes", &length);
  show(length > 0 && bytes[0] == 'x');
  free(bytes);
}

const struct driver drivers[] = {DRIVER(skip), DRIVER(first), {NULL, NULL}};
