/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A division by zero, and a null pointer that libc follows; with -DELSEWHERE each goes wrong before, in another function. */
#include <string.h>
#include <unistd.h>

static const char *volatile text;
static volatile int zero;

static __attribute__((noinline)) size_t length(const char *of) {
  return strlen(of);
}
static __attribute__((noinline)) int early(char c) {
  if (c == 'd') return 7 / zero;
  if (c == 'n') return text[1];
  return 0;
}

int main(void) {
  char c = 0;
  int sum = 0;
  read(0, &c, 1);
#ifdef ELSEWHERE
  sum = early(c);
#endif
  if (c == 'd') sum += 5 / zero;
  if (c == 'n') sum += (int)length(text);
  return sum;
}
