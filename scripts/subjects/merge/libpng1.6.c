/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * libpng: a PNG file in memory up to its first IDAT, with one chunk of symbolic content and size
 * between the others. */
#include "driver.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

void prepare(void) {}

struct file {
  unsigned char *bytes;
  size_t size, at;
};

/* A chunk that claims more than there is meets the end of the file. */
static void readBytes(png_structp png, png_bytep to, size_t count) {
  struct file *f = png_get_io_ptr(png);
  if (count > f->size - f->at) png_error(png, "end of file");
  memcpy(to, f->bytes + f->at, count);
  f->at += count;
}

static void ignore(png_structp png, png_const_charp message) { (void)png, (void)message; }
static void leave(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static unsigned char *put32(unsigned char *to, size_t value) {
  to[0] = (unsigned char)(value >> 24), to[1] = (unsigned char)(value >> 16);
  to[2] = (unsigned char)(value >> 8), to[3] = (unsigned char)value;
  return to + 4;
}

/* Length, name, content and four bytes where the checksum would be. */
static unsigned char *put(unsigned char *to, const char *name, const void *content, size_t size) {
  to = put32(to, size);
  memcpy(to, name, 4);
  memcpy(to + 4, content, size);
  return put32(to + 4 + size, 0);
}

enum color { kGray = 0, kRgb = 2, kPalette = 3 };

static void chunk(const char *name, enum color color) {
  static const unsigned char kPaletteOf4[12] = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};
  unsigned char head[13] = {0, 0, 0, 1, 0, 0, 0, 1, 8, (unsigned char)color, 0, 0, 0};
  static const unsigned char kSignature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
  size_t length;
  unsigned char *content = symbolic_bytes("chunk", &length);
  struct file f = {malloc(room_for(1, 128)), 0, 0};
  memcpy(f.bytes, kSignature, 8);
  unsigned char *to = put(f.bytes + 8, "IHDR", head, sizeof head);
  if (color == kPalette && strcmp(name, "PLTE") != 0)
    to = put(to, "PLTE", kPaletteOf4, sizeof kPaletteOf4);
  to = put(to, name, content, length);
  to = put(to, "IDAT", "", 0);
  f.size = (size_t)(to - f.bytes);
  free(content);

  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, leave, ignore);
  png_infop info = png_create_info_struct(png);
  int failed = setjmp(png_jmpbuf(png));
  if (!failed) {
    png_set_read_fn(png, &f, readBytes);
    /* Checksums of symbolic bytes are tables of tables; every reader of untrusted files that wants
     * to see what it can turns them off. */
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_read_info(png, info);
  }
  show((uint64_t)failed);
  png_destroy_read_struct(&png, &info, NULL);
  free(f.bytes);
}

static void run_PLTE(void) { chunk("PLTE", kPalette); }
static void run_tRNS(void) { chunk("tRNS", kPalette); }
static void run_hIST(void) { chunk("hIST", kPalette); }
static void run_sBIT(void) { chunk("sBIT", kRgb); }
static void run_bKGD(void) { chunk("bKGD", kRgb); }
static void run_sPLT(void) { chunk("sPLT", kRgb); }
static void run_tEXt(void) { chunk("tEXt", kGray); }
static void run_iTXt(void) { chunk("iTXt", kGray); }
static void run_sCAL(void) { chunk("sCAL", kGray); }
static void run_pCAL(void) { chunk("pCAL", kGray); }
static void run_tIME(void) { chunk("tIME", kGray); }
static void run_eXIf(void) { chunk("eXIf", kGray); }

const struct driver drivers[] = {DRIVER(PLTE), DRIVER(tRNS), DRIVER(hIST), DRIVER(sBIT),
                                 DRIVER(bKGD), DRIVER(sPLT), DRIVER(tEXt), DRIVER(iTXt),
                                 DRIVER(sCAL), DRIVER(pCAL), DRIVER(tIME), DRIVER(eXIf),
                                 {NULL, NULL}};
