#include <fathom.h>

/* Queries that take Z3 far longer than anybody waits: products of 64-bit numbers. */
int main(void) {
  unsigned long a, b;
  fathom_symbolic(&a, sizeof a, "a");
  fathom_symbolic(&b, sizeof b, "b");
  int found = 0;
  for (unsigned long i = 1; i < 20; i++)
    if (a > 1 && b > 1 && a * b == 0xfffffffffffffc5full * i && (a ^ b) * (a + b) % 1000003 == i) found++;
  return found;
}
