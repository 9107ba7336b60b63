// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two pointers of unknown origin are one: because callers pass it twice, or keep it elsewhere, or because the program made it anew of its bytes, of
// shifted, subtracted and masked numbers, of what it wrote to a pipe. One question about all runs must not take them for different, nor a block
// for one that code beside it cannot free. Each defect shows in a run of this program.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g -w p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free freed.sarif TWICE GLOBAL MEMBER COPIED BYTES UNION NAMED SHIFTED HALVES BETWEEN PIPE TEXT CALLBACK ALIAS GROWN ROUNDS SAME PASSED LATER KEPT ARRAY FLAG NAME NAMEW INNER INNERW MANY
// RUN: python3 %S/Inputs/report.py p.c null-dereference null.sarif OTHERS WRITTEN INSIDE IN-CALL APART
// RUN: %fathom confirm p --reports freed.sarif --reports null.sarif --no-cache --callers-time 0 --report-time 2s --json -q > q.json
// RUN: python3 -c "import json; r = json.load(open('q.json'))['reports']; assert len(r) == 32, len(r); wrong = [x['message'] for x in r if x['verdict'] == 'refuted']; assert len(wrong) == 1 and 'APART' in wrong[0], wrong"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct box { int v; struct box *next; int *of; };
static struct box *new_box(void) {
  struct box *p = calloc(1, sizeof *p);
  if (!p) exit(1);
  return p;
}
int twice(struct box *a, struct box *b) {
  free(a); // TWICE: source
  return b->v; // TWICE
}
static struct box *kept;
static void drop_kept(int c) {
  for (int i = 0; i < c; i++)
    if (i == 3) free(kept), kept = 0; // GLOBAL: source
}
int global(int c) {
  struct box *p = malloc(sizeof *p);
  if (!p) return 0;
  p->v = 1;
  kept = p;
  drop_kept(c);
  return p->v; // GLOBAL
}
struct holder { int n; struct box *held; };
static void drop_held(struct holder *h) {
  for (int i = 0; i < h->n; i++)
    if (i == 3) free(h->held); // MEMBER: source
}
int member(int c) {
  struct holder h = {c, malloc(sizeof(struct box))};
  struct box *p = h.held;
  if (!p) return 0;
  p->v = 1;
  drop_held(&h);
  return p->v; // MEMBER
}
int copied(struct box *p) {
  struct box *q;
  memcpy(&q, &p, sizeof q);
  free(q); // COPIED: source
  return p->v; // COPIED
}
static void copy(char *to, const char *from, size_t n) {
  while (n--) *to++ = *from++;
}
int bytes(struct box *p) {
  struct box *q = &(struct box){1};
  copy((char *)&q, (char *)&p, sizeof q);
  free(q); // BYTES: source
  return p->v; // BYTES
}
int in_union(struct box *p) {
  union { struct box *p; unsigned half[2]; } a, b = {0};
  a.p = p;
  b.half[0] = a.half[0];
  b.half[1] = a.half[1];
  free(b.p); // UNION: source
  return p->v; // UNION
}
int shifted(struct box *p, struct box *other, int c) {
  uintptr_t n = (uintptr_t)p >> 4;
  struct box *q = c ? (struct box *)(n << 4) : other;
  free(q); // SHIFTED: source
  return p->v; // SHIFTED
}
static uint32_t low, high;
int halves(struct box *p, struct box *other, int c) {
  low = (uint32_t)(uintptr_t)p;
  high = (uint32_t)((uintptr_t)p >> 32);
  struct box *q = other;
  if (c) q = (struct box *)((uintptr_t)high << 32 | low);
  free(q); // HALVES: source
  return p->v; // HALVES
}
int between(struct box *p, char *other) {
  char *q = other + ((uintptr_t)p - (uintptr_t)other);
  free(q); // BETWEEN: source
  return p->v; // BETWEEN
}
int through_pipe(struct box *p, struct box *other) {
  int ends[2];
  struct box *q = other;
  if (pipe(ends) || write(ends[1], &p, sizeof p) != sizeof p || read(ends[0], &q, sizeof q) != sizeof q) return 0;
  free(q); // PIPE: source
  return p->v; // PIPE
}
int through_text(struct box *p, struct box *other) {
  char text[40];
  void *q = other;
  sprintf(text, "%p", (void *)p);
  sscanf(text, "%p", &q);
  free(q); // TEXT: source
  return p->v; // TEXT
}
int named(struct box *p, struct box *other, int c) {
  char text[40];
  union { struct box *p; long n; } u = {other};
  sprintf(text, "%ld", (long)p);
  if (c) u.n = strtol(text, 0, 10);
  free(u.p); // NAMED: source
  return p->v; // NAMED
}
static void drop(void *p) {
  free(p); // CALLBACK: source
}
static void keep(void *p) { (void)p; }
static void each(void (*f)(void *), void *p, int c) {
  for (int i = 0; i < c; i++)
    if (i == 3) f(p);
}
int callback(int c) {
  struct box *p = malloc(sizeof *p);
  if (!p) return 0;
  p->v = 1;
  each(c > 5 ? drop : keep, p, c);
  return p->v; // CALLBACK
}
static void drop_next(struct box *list, int c) {
  for (int i = 0; i < c; i++)
    if (i == 3) free(list->next); // ALIAS: source
}
int alias(struct box *list, int c) {
  struct box *p = list->next;
  drop_next(list, c);
  return p->v; // ALIAS
}
static int grow(char **text, size_t n) {
  char *more = realloc(*text, n); // GROWN: source
  if (more) *text = more;
  return more != 0;
}
int grown(int c) {
  char *text = malloc(4), *before = text;
  if (!text) return 0;
  text[0] = 1;
  if (!grow(&text, 4000 + c)) return 0;
  return before[0]; // GROWN
}
int rounds(int c) {
  struct box *p = malloc(sizeof *p), *q = 0;
  if (!p) return 0;
  p->v = 1;
  for (int i = 0; i < c; i++)
    if (i == 7) q = p;
  free(q); // ROUNDS: source
  return p->v; // ROUNDS
}
static struct box *same(int n, struct box *p) {
  while (n-- > 100) p = p->next;
  return p;
}
int same_again(int c) {
  struct box *p = malloc(sizeof *p), *q;
  if (!p) return 0;
  p->v = 1, p->next = p;
  q = same(c, p);
  free(q); // SAME: source
  return p->v; // SAME
}
static void drop_all(const char *how, ...) {
  __builtin_va_list all;
  __builtin_va_start(all, how);
  for (; *how; how++)
    if (*how == 'f') free(__builtin_va_arg(all, void *)); // PASSED: source
  __builtin_va_end(all);
}
int passed(int c) {
  struct box *p = malloc(sizeof *p);
  if (!p) return 0;
  p->v = 1;
  drop_all(c > 5 ? "xxf" : "x", p);
  return p->v; // PASSED
}
static struct box *late;
static void remember(struct box *p) { late = p; }
static void drop_late(int c) {
  while (c-- > 0)
    if (c == 3) free(late); // LATER: source
}
int later(int c) {
  struct box *p = malloc(sizeof *p);
  if (!p) return 0;
  p->v = 1;
  drop_late(0);
  remember(p);
  drop_late(c);
  return p->v; // LATER
}
static uintptr_t hidden;
static void drop_hidden(int c) {
  while (c-- > 0)
    if (c == 3) free((void *)(hidden ^ 0xff)); // KEPT: source
}
int kept_as_number(int c) {
  struct box *p = malloc(sizeof *p);
  if (!p) return 0;
  p->v = 1;
  hidden = (uintptr_t)p ^ 0xff;
  drop_hidden(c);
  return p->v; // KEPT
}
int in_array(struct box **all, int i, int k) {
  free(all[i]); // ARRAY: source
  return all[k]->v; // ARRAY
}
int others(struct box *a, struct box *b) {
  b->of = &b->v;
  a->of = 0; // OTHERS: source
  return *b->of; // OTHERS
}
int written(struct box *a, struct box **where) {
  struct box *q = a;
  *where = q;
  struct box *p = *where;
  a->of = &a->v;
  p->of = 0; // WRITTEN: source
  return *a->of; // WRITTEN
}
// Nor must searches of paths, for which two such pointers lead to whole objects: one leads into the middle of the other's.
int inside(struct box *a, int **member) {
  a->of = &a->v;
  *member = 0; // INSIDE: source
  return *a->of; // INSIDE
}
int flag(struct box *a, int **member, int c) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = c;
  a->of = &a->v;
  *member = 0;
  if (!a->of) free(p); // FLAG: source
  return *p; // FLAG
}
static void clear(struct box *a, int **member, int **p) {
  a->of = &a->v;
  *member = 0;
  if (!a->of) *p = 0; // IN-CALL: source
}
int in_call(struct box *a, int **member, int c) {
  int here = c, *p = &here;
  clear(a, member, &p);
  return *p; // IN-CALL
}
// A twin: nothing is loaded again.
// The name lies in what is freed; so may any pointer.
struct node { int kind; char name[12]; struct node *link; };
int drop_node(struct node *n, const char *name) {
  if (n->kind != 1 || name[0] != 'x') return 0;
  free(n); // NAME: source
  return name[1]; // NAME
}
int dropw(struct node *n, char *name) {
  if (n->kind != 1 || name[0] != 'x') return 0;
  free(n); // NAMEW: source
  name[0] = 0; // NAMEW
  return 1;
}
int inner(struct node *a, char *q) {
  if (q == (char *)a) return 0;
  free(a); // INNER: source
  return *q; // INNER
}
int innerw(struct node *a, struct node **q) {
  if ((char *)q == (char *)a) return 0;
  free(a); // INNERW: source
  *q = 0; // INNERW
  return 1;
}
int many(int *a, int *b, int *c, int *d, int *e, int *g) {
  int sum = *a + *b + *c + *d + *e;
  free(a); // MANY: source
  return sum + *g; // MANY
}
int apart(struct box *a, int **member) {
  int *p = &a->v;
  *member = 0; // APART: source
  return *p; // APART
}
int main(int argc, char **argv) {
  struct box *x = new_box(), *other = malloc(sizeof *other), *where, *all[2] = {x, x};
  switch (argc) {
  case 1: return twice(x, x);
  case 2: return global(9) + member(9) + callback(9) + passed(9) + later(9) + kept_as_number(9);
  case 3: return copied(x);
  case 4: return bytes(x);
  case 5: return in_union(x);
  case 6: return shifted(x, other, argc);
  case 7: return halves(x, other, argc);
  case 8: return between(x, (char *)other);
  case 9: return through_pipe(x, other);
  case 10: return through_text(x, other);
  case 11: x->next = other; return alias(x, argc);
  case 12: return grown(argc) + rounds(argc) + same_again(argc);
  case 13: return in_array(all, argc > 3, 0);
  case 14: return others(x, x);
  case 15: return written(x, &where);
  case 16: return named(x, other, argc);
  case 17: return inside(x, &x->of);
  case 18: return flag(x, &x->of, argc);
  case 19: return in_call(x, &x->of, argc);
  case 20: return apart(x, &x->of);
  case 21: case 22: case 23: case 24: {
    struct node *n = calloc(1, sizeof *n);
    if (!n) return 0;
    n->kind = 1, n->name[0] = 'x';
    if (argc < 23) return argc == 21 ? drop_node(n, n->name) : dropw(n, n->name);
    return argc == 23 ? inner(n, n->name) : innerw(n, &n->link);
  }
  case 25: {
    int *i = calloc(6, sizeof *i);
    return i ? many(i, i + 1, i + 2, i + 3, i + 4, i) : 0;
  }
  }
  return 0;
}
