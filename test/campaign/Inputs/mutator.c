// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library with AFL++'s custom mutator interface: every input becomes one word.
#include <stddef.h>

static unsigned char word[] = "mutate";

void *afl_custom_init(void *afl, unsigned seed) {
  (void)afl, (void)seed;
  return word;
}

size_t afl_custom_fuzz(void *data, unsigned char *input, size_t bytes, unsigned char **out,
                       unsigned char *other, size_t otherBytes, size_t most) {
  (void)input, (void)bytes, (void)other, (void)otherBytes;
  *out = data;
  return most < sizeof word - 1 ? most : sizeof word - 1;
}

void afl_custom_deinit(void *data) { (void)data; }
