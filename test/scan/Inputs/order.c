#include <stdlib.h>

struct pair { int a, b; };

static int both(struct pair *p) { return p->a + p->b; }
static void maybe(struct pair *p, int n) { if (n) p->a = n; }

/* The first access comes before the others on every way. */
static int straight(void) {
  struct pair *p = malloc(sizeof *p);
  p->a = 1;                                  /* first */
  p->b = 2;                                  /* follows */
  return p->a + both(p);                     /* follows */
}

/* Neither side comes before the other; the one that is not reported is listed. */
static int sides(int n) {
  struct pair *p = malloc(sizeof *p);
  if (n)
    p->a = 1;                                /* either */
  else
    p->b = 2;                                /* either */
  return 0;
}

/* A function that always goes through the pointer comes first; one that may not, does not. */
static int called(void) {
  struct pair *p = malloc(sizeof *p);
  int sum = both(p);                       
  p->b = sum;                                /* follows */
  return sum;
}
static int skipped(int n) {
  struct pair *p = malloc(sizeof *p);
  maybe(p, n);
  p->b = n;                                  /* first */
  return n;
}

/* Another pointer in the same variable. */
static int again(void) {
  struct pair *p = malloc(sizeof *p);
  p->a = 1;                                  /* first */
  p = malloc(sizeof *p);
  p->b = 2;                                  /* first */
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  return straight() + sides(argc) + called() + skipped(argc) + again();
}
