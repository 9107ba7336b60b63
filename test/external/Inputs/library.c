/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What test programs call and have no code of.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int extop2(int w) { return (w * 7 + 3) & 0xff; }
int extop(int y, int z) { return (y * 31 + z) & 0x7f; }

/* Upper case, in place; how many letters that were. */
int shout(char *text, unsigned long size) {
  int count = 0;
  for (unsigned long i = 0; i < size; i++)
    if (text[i] >= 'a' && text[i] <= 'z') text[i] -= 'a' - 'A', count++;
  return count;
}
/* The first place with this byte, or null. */
char *spot(char *text, unsigned long size, char c) { return memchr(text, c, size); }

struct node {
  struct node *next;
  long value;
};
long total(const struct node *n) {
  long sum = 0;
  for (; n; n = n->next) sum += n->value;
  return sum;
}

/* 7: crashes, 8: hangs, 9: exits, 10: allocates without end, 11: writes out of its argument. */
int moody(int mood, char *where) {
  switch (mood) {
  case 7: *(volatile int *)8 = 1; break;
  case 8:
    for (;;) usleep(1000);
  case 9: exit(3);
  case 10:
    for (;;) *(volatile char *)malloc(1 << 28) = 1;
  case 11: where[4] = 1; break;
  }
  where[0] = (char)mood;
  return mood + 1;
}

/* Of 77 only. */
int refuse(int what) {
  if (what != 77) return 1;
  errno = EDOM;
  return 0;
}
