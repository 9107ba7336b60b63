// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with every structure that control flow has: what `fathom synth --like` reads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *left, *right;
  int key;
};

static int compare(const void *a, const void *b) {
  const int *x = a, *y = b;
  if (*x == *y)
    return 0;
  return *x < *y ? -1 : 1;
}

static struct node *insert(struct node *tree, int key) {
  if (!tree) {
    tree = calloc(1, sizeof *tree);
    if (!tree)
      abort();
    tree->key = key;
    return tree;
  }
  if (key < tree->key)
    tree->left = insert(tree->left, key);
  else
    tree->right = insert(tree->right, key);
  return tree;
}

static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

static int search(const int *v, int n, int x) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int mid = (low + high) / 2;
    if (x < v[mid])
      high = mid - 1;
    else if (x > v[mid])
      low = mid + 1;
    else
      return mid;
  }
  return -1;
}

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int divide(int a, int b) {
  if (b == 0 || (a < 0 && b == -1))
    return 0;
  return a / b;
}
static int (*const operations[])(int, int) = {add, subtract, divide};

static int classify(int c) {
  switch (c) {
  case 'a':
  case 'e':
  case 'i':
  case 'o':
  case 'u': return 1;
  case '0':
  case '1': c++; /* fall through */
  case '2': return c;
  case '\n': return 0;
  default: return -1;
  }
}

int unused(int n) {
  do {
    n -= 3;
    if (n == 7)
      continue;
    if (n == 9)
      break;
  } while (n > 0);
  return n;
}

int main(int argc, char **argv) {
  int values[16], count = 0, c;
  struct node *tree = NULL;
  while ((c = getchar()) != EOF && count < 16) {
    if (classify(c) < 0)
      goto bad;
    values[count++] = c;
    tree = insert(tree, c);
  }
  qsort(values, (size_t)count, sizeof *values, compare);
  for (int i = 0; i < argc; ++i)
    for (int k = 0; k < 3; ++k)
      printf("%d\n", operations[k](i, k));
  if (search(values, count, 'x') >= 0 && even(count))
    puts("x");
  return 0;
bad:
  fputs("bad\n", stderr);
  return 1;
}
