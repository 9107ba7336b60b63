// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The false alarm of [satracer] Fig. 10: with any list the defect is feasible, but the head of a list has no node before it. Callers make no
// other lists, so the report is refuted; where they are not looked at it is not.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s use-after-free p.sarif HEAD
// RUN: %fathom confirm p --reports p.sarif > said && FileCheck %s < said
// CHECK: refuted: use-after-free: HEAD
// CHECK-NEXT: feasible from wsnode_nullelim for some arguments and memory, but not from its callers: no{{ path|ne of the [0-9]+ paths}} from there shows it
// RUN: %fathom confirm p --reports p.sarif --callers-time 0 > alone && FileCheck %s --check-prefix=ALONE < alone
// ALONE: possible: use-after-free: HEAD
// ALONE-NEXT: feasible from wsnode_nullelim for some arguments and memory
// A caller that breaks the invariant makes it true again.
// RUN: %fathom-cc -g -DBROKEN %s -o broken && %fathom confirm broken --reports p.sarif --json -q > broken.json
// RUN: python3 -c "import json; r = json.load(open('broken.json'))['reports'][0]; assert (r['verdict'], r['feasible_from']) == ('confirmed', 'main'), r"
#include <stdlib.h>
struct node { struct node *prev, *next; int flags; };
struct wordsplit { struct node *head; };
static void wsnode_remove(struct wordsplit *wsp, struct node *node) {
  struct node *p = node->prev;
  if (p)
    p->next = node->next;
  else
    wsp->head = node->next;
  if (node->next) node->next->prev = p;
  node->next = node->prev = NULL;
}
static int wsnode_nullelim(struct wordsplit *wsp) {
  for (struct node *p = wsp->head; p;) {
    struct node *next = p->next;
    if (p->flags & 1) {
      wsnode_remove(wsp, p);
      free(p); // HEAD: source
    }
    p = next;
  }
  if (!wsp->head) return 0;
  return wsp->head->flags; // HEAD
}
static struct node *append(struct wordsplit *wsp, struct node *last, int flags) {
  struct node *p = calloc(1, sizeof *p);
  if (!p) exit(1);
  p->flags = flags;
  p->prev = last;
  if (last)
    last->next = p;
  else
    wsp->head = p;
#ifdef BROKEN
  if (!last) p->prev = p;
#endif
  return p;
}
int split(int a, int b) {
  struct wordsplit ws = {NULL};
  struct node *last = append(&ws, NULL, a);
  append(&ws, last, b);
  return wsnode_nullelim(&ws);
}
int main(int argc, char **argv) { return split(argc, argv[0][0]); }
