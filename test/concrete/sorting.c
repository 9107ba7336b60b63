// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// qsort and bsearch with callbacks, on several element sizes; lfind, tsearch, hcreate, insque.
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static int byInt(const void *a, const void *b) { calls++; return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int byText(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
struct item { char name[11]; double weight; };
static int byWeight(const void *a, const void *b) { const struct item *x = a, *y = b; return x->weight < y->weight ? -1 : x->weight > y->weight; }
static int byByte(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int byKey(const void *a, const void *b, void *order) { return ((const char *)order)[*(const int *)a] - ((const char *)order)[*(const int *)b]; }
static void visit(const void *node, VISIT order, int level) { if (order == postorder || order == leaf) printf("%d@%d ", **(int *const *)node, level); }

int main(void) {
  int v[60];
  unsigned seed = 12345;
  for (int i = 0; i < 60; i++) v[i] = (int)((seed = seed * 1103515245 + 12345) >> 16) % 100;
  qsort(v, 60, sizeof *v, byInt);
  for (int i = 0; i < 60; i++) printf("%d ", v[i]);
  printf("\n%d\n", calls > 60);
  int key = v[33], missing = 1000;
  int *found = bsearch(&key, v, 60, sizeof *v, byInt);
  printf("%d %d\n", found && *found == key, bsearch(&missing, v, 60, sizeof *v, byInt) == NULL);
  char *words[] = {"pear", "apple", "fig", "banana", "cherry", "apple pie", "date"};
  qsort(words, 7, sizeof *words, byText);
  for (int i = 0; i < 7; i++) printf("%s ", words[i]);
  struct item items[] = {{"b", 2.5}, {"a", -1}, {"c", 100}, {"d", 0}};
  qsort(items, 4, sizeof *items, byWeight);
  for (int i = 0; i < 4; i++) printf("%s=%g ", items[i].name, items[i].weight);
  char text[] = "the quick brown fox jumps over the lazy dog";
  qsort(text, strlen(text), 1, byByte);
  puts(text);
  int order[] = {0, 1, 2, 3};
  qsort_r(order, 4, sizeof *order, byKey, "dacb");
  printf("%d%d%d%d\n", order[0], order[1], order[2], order[3]);
  void *root = NULL;
  static int nodes[] = {5, 2, 8, 1, 9, 3};
  for (int i = 0; i < 6; i++) tsearch(&nodes[i], &root, byInt);
  twalk(root, visit);
  printf("%d\n", tfind(&nodes[3], &root, byInt) != NULL);
  for (int i = 0; i < 6; i++) tdelete(&nodes[i], &root, byInt);
  size_t n = 6;
  printf("%d\n", *(int *)lfind(&(int){8}, nodes, &n, sizeof *nodes, byInt));
  hcreate(20);
  hsearch((ENTRY){"one", (void *)1L}, ENTER), hsearch((ENTRY){"two", (void *)2L}, ENTER);
  ENTRY *e = hsearch((ENTRY){"two", NULL}, FIND);
  printf("%ld %d\n", (long)e->data, hsearch((ENTRY){"three", NULL}, FIND) == NULL);
  hdestroy();
  return 0;
}
