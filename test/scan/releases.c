// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is freed: under another name, by a function behind a pointer, in the middle; what was never written; and code that is right, with tables, wrappers,
// members of one structure and variable arguments.
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom scan %t --no-cache --kinds use-after-free,double-free,invalid-free,uninitialized-read,null-dereference > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 5 reports: 2 use-after-free, 2 uninitialized-read, 1 invalid-free
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  char *name;
};
static char *copy(const char *s) {
  // CHECK-DAG: releases.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is used; it was freed at releases.c:[[#@LINE+7]]
  size_t n = strlen(s) + 1;
  char *r = malloc(n);
  if (!r) abort();
  return memcpy(r, s, n);
}
static void setName(struct item *it, const char *name) {
  free(it->name);
  it->name = copy(name);
}
static void setOk(struct item *it, const char *name) {
  char *old = it->name;
  it->name = copy(name);
  free(old);
}
static int named(void) {
  struct item it = {copy("a")};
  setName(&it, it.name);
  setOk(&it, it.name);
  int c = it.name[0];
  free(it.name);
  return c;
}

static int work(void (*put)(void *)) {
  char *p = malloc(2);
  if (!p) return 0;
  *p = 1;
  put(p);
  // CHECK-DAG: releases.c:[[#@LINE+1]]:{{[0-9]+}}: use-after-free: freed memory is used
  return *p;
}
static void look(void *p) { puts(p); }
static int lookAt(void (*use)(void *)) {
  char *p = strdup("text");
  if (!p) return 0;
  use(p);
  int c = *p;
  free(p);
  return c;
}

static void middle(int n) {
  char *p = malloc(10);
  if (!p) return;
  p++;
  printf("%d\n", n);
  // CHECK-DAG: releases.c:[[#@LINE+1]]:{{[0-9]+}}: invalid-free: free of an address 1 byte behind the start of a block
  free(p);
}

static int unwrittenBlock(void) {
  int *p = malloc(10 * sizeof *p), r = 0;
  if (!p) return 1;
  p[2] = 1;
  // CHECK-DAG: releases.c:[[#@LINE+1]]:{{[0-9]+}}: uninitialized-read: memory is read that was never written
  if (p[3] > 5) r = 1;
  free(p);
  return r;
}
struct two {
  int one, other;
};
static int unwrittenElements(void) {
  struct two data[10];
  int r = 0;
  for (int i = 0; i < 5; i++) data[i].one = data[i].other = i;
  for (int i = 0; i < 10; i++)
    // CHECK-DAG: releases.c:[[#@LINE+1]]:{{[0-9]+}}: uninitialized-read: memory is read that was never written
    if (data[i].one > 3) r++;
  return r;
}
static int writtenElements(void) {
  FILE *files[3];
  int data[30], r = 0;
  for (int i = 0; i < 30; i++) data[i] = i;
  for (int i = 0; i < 30; i++) r += data[i];
  for (int i = 0; i < 3; i++)
    if (!(files[i] = tmpfile())) exit(1);
  for (int i = 0; i < 3; i++) fclose(files[i]);
  return r;
}

typedef int (*Out)(void *, const char *, size_t);
struct sink {
  int mode;
  FILE *log;
  Out out;
};
static int say(struct sink *p, const char *text, size_t n) {
  if (p->out) return p->out(p, text, n);
  return (int)fwrite(text, 1, n, p->log);
}
static int members(void) {
  struct sink *p = malloc(sizeof *p);
  if (!p) return 1;
  memset(p, 0, sizeof *p);
  FILE *log = fdopen(1, "w");
  if (!log) exit(3);
  p->log = log;
  p->out = 0;
  int said = say(p, "x\n", 2);
  free(p);
  return said;
}

static int reserve(char **block, int *room, unsigned wanted) {
  if ((unsigned)*room < wanted) {
    void *fresh;
    int more = (int)wanted + 100;
    if (*block)
      fresh = realloc(*block, (size_t)more);
    else
      fresh = malloc((size_t)more);
    if (!fresh) return 0; // the old block stays
    *block = fresh;
    *room = more;
  }
  return 1;
}
static char *repeat(char c, int times) {
  static char *text;
  static int room;
  if (!reserve(&text, &room, (unsigned)times + 1)) return 0;
  memset(text, c, (size_t)times);
  text[times] = 0;
  return text;
}

static int set(int *to, int which, ...) {
  int known = 1;
  va_list rest;
  va_start(rest, which);
  if (which == 1)
    *to = va_arg(rest, int);
  else
    known = 0;
  va_end(rest);
  return known;
}

int main(int argc, char **argv) {
  int number = 0, r = named() + lookAt(look) + members() + set(&number, 1, argc);
  if (argc > 1) r += work(free);
  if (argc > 2) middle(argc);
  if (argc > 3) r += unwrittenBlock();
  if (argc > 4) r += unwrittenElements() + writtenElements();
  for (int i = 1; i < argc; i++) {
    char *t = repeat(argv[i][0], 300 * i);
    if (!t) return 1;
    puts(t);
  }
  return r + number;
}
