// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Insertion into a red-black tree, then its invariants: no path breaks them.
enum { SIZE = 4, LIMIT = 6 };
#define BYTES_BELOW
#include "oracle.h"

struct node {
  int key, red;
  struct node *child[2];
};
static struct node nodes[SIZE];
static int used;

static int isRed(struct node *n) { return n && n->red; }
static struct node *rotate(struct node *n, int way) {
  struct node *top = n->child[!way];
  n->child[!way] = top->child[way];
  top->child[way] = n;
  top->red = n->red;
  n->red = 1;
  return top;
}
static struct node *fix(struct node *n) { // left-leaning
  if (isRed(n->child[1]) && !isRed(n->child[0]))
    n = rotate(n, 0);
  if (isRed(n->child[0]) && isRed(n->child[0]->child[0]))
    n = rotate(n, 1);
  if (isRed(n->child[0]) && isRed(n->child[1]))
    n->red = 1, n->child[0]->red = n->child[1]->red = 0;
  return n;
}
static struct node *insert(struct node *n, int key) {
  if (!n) {
    n = &nodes[used++];
    *n = (struct node){key, 1, {0, 0}};
    return n;
  }
  if (key < n->key)
    n->child[0] = insert(n->child[0], key);
  else if (key > n->key)
    n->child[1] = insert(n->child[1], key);
  return fix(n);
}
static int blackHeight(struct node *n) { // -1: broken
  if (!n)
    return 0;
  int left = blackHeight(n->child[0]), right = blackHeight(n->child[1]);
  if (left < 0 || left != right || (n->red && isRed(n->child[0])) || isRed(n->child[1]))
    return -1;
  return left + !n->red;
}
static int program(const unsigned char *in) {
  struct node *root = 0;
  used = 0;
  for (int i = 0; i < SIZE; i++) {
    root = insert(root, in[i]);
    root->red = 0;
  }
  return blackHeight(root) < 0 ? 127 : used * 10 + blackHeight(root);
}
