/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * external: hash
 * effects: hash(string) -> value
 * input: --sym-stdin 6
 * Words found by a hash of theirs, as a compiler's table of keywords does. */
#include <string.h>
#include <unistd.h>

unsigned hash(const char *text) {
  unsigned h = 2166136261u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
  return h >> 4;
}

int main(void) {
  char in[7] = {0};
  read(0, in, 6);
  switch (hash(in) % 31) {
  case 3: return strcmp(in, "while") ? 1 : 2;
  case 7: return strcmp(in, "return") ? 3 : 4;
  case 11: return in[0] == 'i' && in[1] == 'f' && !in[2] ? 5 : 6;
  case 17:
    if (hash(in + 1) % 31 == 5) return 7;
    return 8;
  default: break;
  }
  return hash(in) % 1009 == 17 ? 9 : 0;
}
