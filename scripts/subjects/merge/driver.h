/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What the drivers of bench/merge are made of. SUBJECT.c calls one function of a library in each
 * driver; main.c is their main:
 *
 *     merge-SUBJECT DRIVER CAPACITY SIZES
 *
 * CAPACITY bounds each input, in bytes. SIZES says how long an input is, and where that is said:
 *   symbolic   the object itself has a symbolic size (explore --memory symbolic-size)
 *   bounded    a symbolic length of at most CAPACITY, in an object of full capacity
 *   concrete   exactly CAPACITY; a text can still end earlier, at a NUL among its bytes
 */
#ifndef FATHOM_MERGE_DRIVER_H
#define FATHOM_MERGE_DRIVER_H

#include <stddef.h>
#include <stdint.h>

struct driver {
  const char *name;
  void (*run)(void);
};

/* SUBJECT.c defines them; the last one has no name. */
extern const struct driver drivers[];
/* Called before the driver, for what a library needs once. */
void prepare(void);

#define DRIVER(function) {#function, run_##function}

/* A block of symbolic bytes that the caller frees. Its length is never 0 with `symbolic` sizes
 * only because malloc(0) may be null. */
unsigned char *symbolic_bytes(const char *name, size_t *length);
/* The same with a NUL behind it. */
char *symbolic_text(const char *name);
/* A text of at most `most` bytes, whatever CAPACITY is: a second argument that matters less. */
char *symbolic_short_text(const char *name, size_t most);
/* Room for a result that is at most `times` as long as an input, and `more` bytes. The caller frees
 * it; its size is concrete. */
size_t room_for(size_t times, size_t more);

/* What a call returned. They write without branching on the value, so that the driver itself adds
 * no paths. */
void show(uint64_t value);
void show_found(const void *pointer);
/* Reads all of a text, and shows how many of its bytes are not 0 of the first `count`. */
void show_bytes(const void *bytes, size_t count);

#endif
