/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * main of the drivers: see driver.h. */
#include "driver.h"

#include <fathom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum sizes { kSymbolic, kBounded, kConcrete };

static size_t capacity;
static enum sizes sizes;

static void *room(size_t bytes) {
  void *p = malloc(bytes);
  if (!p) exit(2);
  return p;
}

/* An object for at most `most` bytes and a NUL where it is a text; *length bytes of it are input.
 */
static unsigned char *make(const char *name, size_t most, int isText, size_t *length) {
  size_t n = most;
  if (sizes != kConcrete) {
    n = fathom_size("size");
    fathom_assume(n <= most);
  }
  unsigned char *p = room((sizes == kBounded ? most : n) + 1);
  fathom_symbolic(p, sizes == kBounded ? most : n, name);
  if (sizes == kBounded) p[most] = 0;
  /* A condition instead of a store at a symbolic offset: the other bytes stay what they are. */
  if (isText && sizes == kBounded) fathom_assume(p[n] == 0);
  if (isText && sizes != kBounded) p[n] = 0;
  *length = n;
  return p;
}

unsigned char *symbolic_bytes(const char *name, size_t *length) {
  return make(name, capacity, 0, length);
}

char *symbolic_text(const char *name) { return symbolic_short_text(name, capacity); }

char *symbolic_short_text(const char *name, size_t most) {
  size_t length;
  return (char *)make(name, most < capacity ? most : capacity, 1, &length);
}

size_t room_for(size_t times, size_t more) { return times * capacity + more; }

void show(uint64_t value) {
  char digits[17];
  for (int i = 15; i >= 0; i--, value >>= 4) {
    unsigned digit = value & 15;
    digits[i] = (char)('0' + digit + (digit > 9) * ('a' - '9' - 1));
  }
  digits[16] = '\n';
  if (write(STDOUT_FILENO, digits, sizeof digits) < 0) exit(2);
}

void show_found(const void *pointer) { show(pointer != NULL); }

void show_bytes(const void *bytes, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += ((const unsigned char *)bytes)[i];
  show(sum);
}

static size_t number(const char *text) {
  char *end;
  size_t n = strtoul(text, &end, 10);
  return *text && !*end ? n : 0;
}

/* Without the destructors of the libraries: they are not what is measured, and Sofia-SIP's deletes
 * a key that was never made. */
static _Noreturn void leave(void) {
  fflush(stdout);
  _exit(0);
}

int main(int argc, char **argv) {
  static const char *const kNames[] = {"symbolic", "bounded", "concrete"};
  const struct driver *driver = drivers;
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (; driver->name; driver++) puts(driver->name);
    leave();
  }
  unsigned which = 0;
  while (argc == 4 && which < 3 && strcmp(argv[3], kNames[which]) != 0) which++;
  if (argc != 4 || which == 3 || (capacity = number(argv[2])) == 0) {
    fprintf(stderr, "usage: %s DRIVER CAPACITY symbolic|bounded|concrete, or %s --list\n", argv[0],
            argv[0]);
    return 2;
  }
  sizes = (enum sizes)which;
  while (driver->name && strcmp(driver->name, argv[1]) != 0) driver++;
  if (!driver->name) {
    fprintf(stderr, "%s: no driver '%s'\n", argv[0], argv[1]);
    return 2;
  }
  prepare();
  driver->run();
  leave();
}
