/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program with SIZE input bytes, each below LIMIT, that can be explored and can be enumerated.
 *
 *     enum { SIZE = 3, LIMIT = 8 };
 *     #include "oracle.h"
 *     int program(const unsigned char *in) { ... }
 *
 * Explored (bruteforce.py compiles it with fathom-cc): the bytes are symbolic, and the result is the exit status. Enumerated
 * (-DENUMERATE, host's clang with -fsanitize-coverage): program() runs on all LIMIT^SIZE inputs, and the blocks it takes are
 * hashed; two inputs follow the same path exactly when their hashes are equal. program() keeps nothing from call to call, and calls
 * nothing outside its file with symbolic values: libc's branches are not seen here.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int program(const unsigned char *in);

#ifndef ENUMERATE
#include <fathom.h>
int main(void) {
  unsigned char in[SIZE];
  fathom_symbolic(in, sizeof in, "in");
#if defined(BYTES_BELOW)
  /* no branch: & instead of && */
  unsigned ok = 1;
  for (int i = 0; i < SIZE; i++)
    ok &= in[i] < LIMIT;
  fathom_assume(ok);
#endif
  return program(in) & 0x7f;
}
#else
#include <stdio.h>
#define OUTSIDE __attribute__((no_sanitize("coverage"), noinline))
static uint64_t hash;
OUTSIDE void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  uint32_t n = 0;
  if (start != stop && !*start)
    for (uint32_t *at = start; at < stop; at++)
      *at = ++n;
}
OUTSIDE void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  hash = (hash ^ *guard) * 0x9E3779B97F4A7C15ull;
  hash ^= hash >> 29;
}
OUTSIDE static uint64_t trace(const unsigned char *in, int *result) {
  hash = 14695981039346656037ull;
  *result = program(in) & 0x7f;
  return hash;
}
/* Without arguments: one line per path, "hash count result-of-one-input". With the input in hexadecimal: "hash result" of that one. */
OUTSIDE int main(int argc, char **argv) {
  static unsigned char in[SIZE];
  int result;
  if (argc > 1) {
    for (int i = 0; i < SIZE; i++) {
      unsigned byte = 0;
      sscanf(argv[1] + 2 * i, "%2x", &byte);
      in[i] = (unsigned char)byte;
    }
    uint64_t h = trace(in, &result);
    printf("%016llx %d\n", (unsigned long long)h, result);
    return 0;
  }
  enum { kRoom = 1 << 17 };
  static uint64_t seen[kRoom], counts[kRoom];
  size_t paths = 0;
  for (;;) {
    uint64_t h = trace(in, &result);
    size_t at = h % kRoom;
    while (counts[at] && seen[at] != h)
      at = (at + 1) % kRoom;
    if (!counts[at] && ++paths > kRoom / 2)
      return fputs("too many paths\n", stderr), 1;
    seen[at] = h, counts[at]++;
    int i = 0;
    while (i < SIZE && ++in[i] == (LIMIT & 0xff))
      in[i++] = 0;
    if (i == SIZE)
      break;
  }
  for (size_t i = 0; i < kRoom; i++)
    if (counts[i])
      printf("%016llx %llu\n", (unsigned long long)seen[i], (unsigned long long)counts[i]);
  return 0;
}
#endif
