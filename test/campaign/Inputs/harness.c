// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format of parser.c as a harness, and what could tell one input of a process from another:
// initialisation, the clock, random bytes, a buffer of its exact size.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static int level;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  for (int i = 0; i < *argc; i++)
    if (argv[0][i]) level++;
  return 0;
}

static int depth(const uint8_t *text, size_t length) {
  int count = 0;
  while (length && *text == '(') {
    text++;
    length--;
    if (++count == 5) puts("deep");
  }
  return count;
}

/* Half a minute later, in a process that goes on; never, in one that begins. */
static int isLater(void) {
  struct timespec begin = {0, 0}, now;
  clock_gettime(CLOCK_REALTIME, &begin);
  now = begin;
  now.tv_sec = 0;
  now.tv_nsec = 999999;
  nanosleep(&now, 0);
  clock_gettime(CLOCK_REALTIME, &now);
  return begin.tv_nsec > 5000000 || now.tv_nsec > 6000000;
}

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t length) {
  uint8_t random;
  if (length == 0) return 0;
  switch (text[0]) {
  case '(': return depth(text, length) & 0;
  case '0':
  case '1':
  case '2': return 100 / (text[length - 1] - '3') & 0;
  case '"':
    if (length >= 5 && memcmp(text + 1, "save", 4) == 0) puts("saved");
    break;
  case '#':
    if (isLater()) puts("later");
    break;
  case '\n':
    if (getrandom(&random, 1, 0) == 1 && random & 1) puts("odd");
    break;
  case 'z':
    if (length > 2 && text[1] == 'z' && text[2] == 'z') *(volatile int *)0 = level;
    break;
  default: puts("?");
  }
  return 0;
}
