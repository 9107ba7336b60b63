#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Three ends: a number, an assertion, a crash. */
int main(int argc, char **argv) {
  if (argc < 2) return 1;
  if (!strcmp(argv[1], "ab")) assert(argc == 3);
  if (!strcmp(argv[1], "cd")) *(volatile char *)8 = 1;
  printf("%d\n", (int)strlen(argv[1]));
  return 0;
}

int step(int n) { return n > 2; }
