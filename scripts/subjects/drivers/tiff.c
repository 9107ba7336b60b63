/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Reads every image of one TIFF file in memory, as RGBA. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

struct memory {
  const uint8_t *data;
  uint64_t size, at;
};

static tmsize_t readBytes(thandle_t handle, void *to, tmsize_t count) {
  struct memory *m = handle;
  uint64_t left = m->at < m->size ? m->size - m->at : 0;
  if ((uint64_t)count > left) count = (tmsize_t)left;
  memcpy(to, m->data + m->at, (size_t)count);
  m->at += (uint64_t)count;
  return count;
}

static tmsize_t writeBytes(thandle_t handle, void *from, tmsize_t count) {
  (void)handle, (void)from, (void)count;
  return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  struct memory *m = handle;
  m->at = offset + (whence == SEEK_CUR ? m->at : whence == SEEK_END ? m->size : 0);
  return m->at;
}

static int closeNothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size(thandle_t handle) { return ((struct memory *)handle)->size; }

static int mapAll(thandle_t handle, void **base, toff_t *count) {
  struct memory *m = handle;
  *base = (void *)m->data;
  *count = m->size;
  return 1;
}

static void unmapNothing(thandle_t handle, void *base, toff_t count) {
  (void)handle, (void)base, (void)count;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  TIFFSetErrorHandler(NULL);
  TIFFSetWarningHandler(NULL);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count) {
  struct memory memory = {data, count, 0};
  TIFF *tiff = TIFFClientOpen("memory", "r", &memory, readBytes, writeBytes, seek, closeNothing,
                              size, mapAll, unmapNothing);
  if (!tiff) return 0;
  int images = 0;
  do {
    uint32_t width = 0, height = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    /* What a header claims is bounded, so that an input takes milliseconds. */
    if (width == 0 || height == 0 || width > 1024 || height > 1024) continue;
    uint32_t *raster = malloc(sizeof *raster * width * height);
    if (raster) TIFFReadRGBAImage(tiff, width, height, raster, 0);
    free(raster);
  } while (++images < 4 && TIFFReadDirectory(tiff));
  TIFFClose(tiff);
  return 0;
}
