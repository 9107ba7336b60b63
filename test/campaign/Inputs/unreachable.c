/* Sides that no input takes, and why. */
#include <stdio.h>
#include <stdlib.h>

static unsigned total;

static void orphan(int c) {
  if (c > 3) puts("orphan");
}

static int name(unsigned c) {
  switch (c & 3) {
  case 0: return 'a';
  case 1: return 'b';
  case 2: return 'c';
  case 3: return 'd';
  default: orphan(3); return 'e';
  }
}

int main(void) {
  int c;
  while ((c = getchar()) != EOF) {
    total = total * 31 + (unsigned)c;
    if (total * total % 32 == 5) orphan(c);
    if (c < 'm') {
      if (c > 'x') abort();
      putchar(name((unsigned)c));
    }
  }
  return 0;
}
