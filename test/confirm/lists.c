// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that unlinks the first node and frees it finds it first again only in a list that no program makes: that is open. One that does not unlink it is confirmed.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif UNLINKED KEPT
// RUN: %fathom confirm p --reports p.sarif --no-cache > p.txt
// RUN: FileCheck %s --input-file p.txt
// CHECK-DAG: open: use-after-free: UNLINKED
// CHECK-DAG: {{feasible from (clear|main).*whether callers make that possible is open|no run of clear shows it if}}
// CHECK-DAG: confirmed: use-after-free: KEPT
// RUN: %fathom confirm p --reports p.sarif --no-cache --callers-time 0 --json -q > q.json
// RUN: python3 %S/Inputs/verdicts.py q.json KEPT=possible
// Two pointers of callers to one block are two frees of it, but whether they are is up to the callers: here to one that reads as many names as there are.
// RUN: python3 %S/Inputs/report.py p.c double-free r.sarif PAIR
// RUN: %fathom confirm p --reports r.sarif --no-cache | FileCheck %s --check-prefix=PAIR-OPEN
// PAIR-OPEN: open: double-free: PAIR
// PAIR-OPEN-NEXT: feasible from release for some arguments and memory, if two pointers point to the same object; whether callers make that possible is open
#include <stdlib.h>
#include <string.h>
struct node { struct node *next, *prev; int v; };
static struct node head = {&head, &head, 0}, other = {&other, &other, 0};
static void add(struct node *h, int v) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->v = v;
  n->next = h->next;
  n->prev = h;
  h->next->prev = n;
  h->next = n;
}
__attribute__((noinline)) int clear(void) {
  int sum = 0;
  struct node *n;
  while ((n = head.next) != &head) {
    sum += n->v; // UNLINKED
    n->next->prev = n->prev;
    n->prev->next = n->next;
    free(n); // UNLINKED: source
  }
  return sum;
}
__attribute__((noinline)) int drop(void) {
  int sum = 0;
  struct node *n;
  for (int i = 0; i < 2 && (n = other.next) != &other; i++) {
    sum += n->v; // KEPT
    free(n); // KEPT: source
  }
  return sum;
}
struct pair { char *a, *b; };
__attribute__((noinline)) void release(struct pair *p) {
  free(p->a); // PAIR: source
  free(p->b); // PAIR
}
int main(int argc, char **argv) {
  struct pair p = {NULL, NULL};
  for (int i = 0; i < argc; i++) {
    free(p.a);
    p.a = p.b;
    p.b = strdup(argv[i]);
  }
  release(&p);
  for (int i = 0; i < argc; i++) {
    add(&head, i);
    add(&other, i);
  }
  return clear() + drop();
}
