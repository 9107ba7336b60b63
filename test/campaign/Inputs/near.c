/* Sides at three distances from what "aaaa" covers. */
#include <stdio.h>

static int deep(int c) {
  if (c == 'q') return 1; /* behind two sides */
  return 2;
}

int main(void) {
  int c, n = 0;
  while ((c = getchar()) != EOF) {
    n++;
    if (c == 'x') {      /* next: executed always */
      if (n > 3)         /* behind one side */
        return deep(c);
    }
  }
  return 0;
}
