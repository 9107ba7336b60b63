// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Heap patterns: growth by realloc, calloc, aligned_alloc, zero sizes, lists and trees, memalign, usable size, alloca, arrays of variable length.
#include <alloca.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *n, int key) {
  if (!n) { n = calloc(1, sizeof *n); n->key = key; return n; }
  if (key < n->key) n->left = insert(n->left, key);
  else if (key > n->key) n->right = insert(n->right, key);
  return n;
}
static int walk(struct node *n, int depth) {
  if (!n) return 0;
  int sum = walk(n->left, depth + 1) + n->key * depth + walk(n->right, depth + 1);
  free(n);
  return sum;
}
static int onStack(int n) {
  int vla[n][n + 1];
  int sum = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) vla[i][j] = i * j;
  for (int k = 0; k < 3; k++) {
    char *p = alloca((size_t)(n + k));
    memset(p, k + 1, (size_t)(n + k));
    sum += p[n + k - 1];
    int inner[k + 1];
    inner[k] = k;
    sum += inner[k];
  }
  for (int i = 0; i < n; i++) sum += vla[i][n];
  return sum + (int)(sizeof vla / sizeof **vla);
}

int main(int argc, char **argv) {
  size_t capacity = 1, size = 0;
  int *v = malloc(capacity * sizeof *v);
  for (int i = 0; i < 5000; i++) {
    if (size == capacity) v = realloc(v, (capacity *= 2) * sizeof *v);
    v[size++] = i * i;
  }
  long sum = 0;
  for (size_t i = 0; i < size; i++) sum += v[i];
  v = realloc(v, 10 * sizeof *v);
  printf("%ld %d\n", sum, v[9]);
  free(v);
  int *z = calloc(100, sizeof *z);
  int zeros = 1;
  for (int i = 0; i < 100; i++) zeros &= !z[i];
  free(z);
  void *p = malloc(0), *q = realloc(NULL, 5);
  free(p), free(q), free(NULL);
  void *a = aligned_alloc(64, 128), *b = NULL;
  int r = posix_memalign(&b, 4096, 10);
  printf("%d %d %d %d\n", zeros, (int)((uintptr_t)a % 64), r, (int)((uintptr_t)b % 4096));
  free(a), free(b);
  struct node *root = NULL;
  unsigned seed = (unsigned)argc;
  for (int i = 0; i < 200; i++) root = insert(root, (int)((seed = seed * 1664525 + 1013904223) >> 20));
  printf("%d\n", walk(root, 1));
  printf("%d %d\n", onStack(argc), onStack(20));
  char *text = strdup("grow");
  for (int i = 0; i < 6; i++) {
    size_t n = strlen(text);
    text = realloc(text, n * 2 + 1);
    memcpy(text + n, text, n);
    text[n * 2] = 0;
  }
  printf("%zu %.8s %d\n", strlen(text), text + 100, malloc_usable_size(text) >= 257);
  free(text);
  void *many[300];
  for (int i = 0; i < 300; i++) memset(many[i] = malloc((size_t)(i * 13 % 257 + 1)), i, (size_t)(i * 13 % 257 + 1));
  int ok = 1;
  for (int i = 0; i < 300; i++) ok &= ((unsigned char *)many[i])[i * 13 % 257] == (unsigned char)i;
  for (int i = 299; i >= 0; i--) free(many[i]);
  char *huge = malloc((size_t)1 << 62);
  int *reused = reallocarray(NULL, 4, sizeof *reused);
  printf("%d %d %d\n", ok, huge == NULL, reallocarray(reused, SIZE_MAX / 2, 8) == NULL);
  free(reused);
  return 0;
}
