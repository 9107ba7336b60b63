#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  char *p = calloc(1, 8);
  if (!p) return 1;
  putchar(*p);
  free(p);
  if (argc > 2) putchar(p[1]);
  char *q = argv[1];
  if (!q) puts("none");
  putchar(*q);
  puts("end");
  return 0;
}
