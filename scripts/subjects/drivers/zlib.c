/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Inflates one stream, in small steps. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned char out[256];
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit2(&stream, 15 + 32) != Z_OK) return 0; /* zlib or gzip, by its header */
  stream.next_in = (unsigned char *)data;
  stream.avail_in = (unsigned)size;
  for (int step = 0; step < 64; step++) {
    stream.next_out = out;
    stream.avail_out = sizeof out;
    if (inflate(&stream, Z_NO_FLUSH) != Z_OK) break;
  }
  inflateEnd(&stream);
  return 0;
}
