// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --replay
// Null pointers: from a failed search, a field of a null structure, an allocation that was too large, a null function.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record {
  int id;
  char pad[60];
  int value;
};
static struct record records[] = {{1, "", 10}, {2, "", 20}};

static struct record *find(int id) {
  for (int i = 0; i < 2; i++)
    if (records[i].id == id)
      return &records[i];
  return NULL;
}
static int field(int id) {
  struct record *r = find(id);
#ifdef FIXED
  if (!r)
    return 0;
#endif
  return r->value; // BUG null-dereference
}
static void store(int c) {
  int *p = c == 'n' ? NULL : &records[0].value;
#ifdef FIXED
  if (p)
#endif
  *p = 5; // BUG null-dereference
}
static int search(char *text) {
  char *at = strchr(text, ':');
#ifdef FIXED
  if (!at)
    return 0;
#endif
  return at[1] == 'x'; // BUG null-dereference
}
static int call(int c) {
  int (*f)(int) = c & 1 ? abs : NULL;
#ifdef FIXED
  if (!f)
    return 0;
#endif
  return f(c); // BUG null-dereference
}

int main(void) {
  char in[5] = {0};
  read(0, in, 4);
  switch (in[0]) {
  case 'f': return field(in[1]);
  case 's': store(in[1]); break;
  case 't': return search(in + 1);
  case 'c': return call(in[1]);
  }
  return 0;
}
