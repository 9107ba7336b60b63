/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Decodes one PNG file in memory. */
#include <png.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, data, size)) return 0;
  image.format = PNG_FORMAT_RGBA;
  if (image.width <= 4096 && image.height <= 4096) {
    void *pixels = malloc(PNG_IMAGE_SIZE(image));
    if (pixels) png_image_finish_read(&image, NULL, pixels, 0, NULL);
    free(pixels);
  }
  png_image_free(&image);
  return 0;
}
