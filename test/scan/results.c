// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What results of calls say: of a call that only looks at memory, made again; of strchr in a literal; of formats, lengths and today. Each defect beside its
// correct twin.
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom scan %t --no-cache --kinds null-dereference,division-by-zero,out-of-bounds-read,out-of-bounds-write,uninitialized-read > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 14 reports: 5 null-dereference, 3 uninitialized-read, 3 out-of-bounds-read, 1 out-of-bounds-write, 2 division-by-zero
// RUN: %fathom scan %t --no-cache --jobs 3 --kinds null-dereference,division-by-zero,out-of-bounds-read,out-of-bounds-write,uninitialized-read > %t.jobs
// RUN: cmp %t.out %t.jobs
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The environment is as it was, unless something changes it.
static void environmentBad(void) {
  if (!getenv("NAME")) return;
  setenv("NAME", "other", 1);
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference
  putchar(getenv("NAME")[0]);
}
static void environmentOk(void) {
  if (!getenv("NAME")) return;
  putchar(getenv("NAME")[0]);
}
// A text that is written in between may have lost its comma.
static void againBad(char *line) {
  if (!strchr(line, ',')) return;
  line[0] = 0;
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference
  *strchr(line, ',') = 0;
}
static void againOk(char *line) {
  if (!strchr(line, ',')) return;
  *strchr(line, ',') = 0;
}
// A function of the program that only looks, and one that does more.
struct vector {
  int kind;
  long value;
};
static long valueOf(const struct vector *v) {
  while (v->kind && !v->value) v++;
  return v->kind == 3 ? v->value : 0;
}
static long someValue(const struct vector *v) { return rand() % 2 ? 0 : v->value; }
static long divideBad(const struct vector *v) {
  if (someValue(v) == 0) return 0;
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: division-by-zero
  return 100 / someValue(v);
}
static long divideOk(const struct vector *v) {
  if (valueOf(v) == 0) return 0;
  return 100 / valueOf(v);
}
// Null: none of the characters.
static int optionBad(int c, char *text) {
  char *value = NULL;
  if (strchr("abc", c)) value = text;
  switch (c) {
  case 'a': return value[0];
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference
  case 'd': return value[1];
  }
  return 0;
}
static int optionOk(int c, char *text) {
  char *value = NULL;
  if (strchr("abc", c)) value = text;
  switch (c) {
  case 'a': return value[0];
  case 'c': return value[1];
  }
  return 0;
}
static char *endBad(char *text) {
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference
  return strchr(text, '.') + strlen(strchr(text, '.'));
}
static char *endOk(char *text) {
  *strchr(text, 0) = '.';
  return text;
}
// At most twenty digits.
static char *copied(char *to, const char *from, size_t bytes) {
  if (bytes > 40) exit(1);
  return memcpy(to, from, bytes);
}
static void digitsBad(unsigned long n, char *to) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%lu:%lu", n, n);
  // CHECK-DAG: results.c:[[#@LINE-5]]:{{[0-9]+}}: out-of-bounds-read: read of 1 byte at offset up to 39 of an object of 24 bytes
  puts(copied(to, digits, length));
}
static void digitsOk(unsigned long n, char *to) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%lu", n);
  puts(copied(to, digits, length));
}
static void limitOk(char *to) { puts(copied(to, "abc", strnlen("abc", 40))); }
// A length is never so large that a sum wraps around.
static void suffixBad(const char *name) {
  char path[64];
  strncpy(path, name, sizeof path - 1);
  path[63] = 0;
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write
  if (strlen(path) < 60) strcat(path, "suffix");
  puts(path);
}
static void suffixOk(const char *name) {
  char path[64];
  strncpy(path, name, sizeof path - 1);
  path[63] = 0;
  if (strlen(path) + 7 <= 64) strcat(path, "suffix");
  puts(path);
}
// The year of any number of seconds may be too large; that of today is not.
static void dayBad(const char *seconds) {
  time_t when = atoll(seconds);
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: null-dereference
  printf("%d\n", localtime(&when)->tm_mday);
}
static void dayOk(void) {
  time_t now;
  time(&now);
  printf("%d\n", localtime(&now)->tm_mday);
  time_t then = time(NULL);
  printf("%d\n", gmtime(&then)->tm_mday);
}
// The other bits of a bit-field's word are kept, not looked at.
struct bits {
  unsigned low : 3, high : 29;
};
static unsigned bitsBad(void) {
  struct bits *b = malloc(sizeof *b);
  if (!b) exit(1);
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: uninitialized-read
  return b->high;
}
static void bitsOk(struct bits **out) {
  struct bits *b = malloc(sizeof *b);
  if (!b) exit(1);
  b->low = 5;
  b->high = 7;
  *out = b;
}
// What one round learnt of i + 1 counts, not what an earlier one learnt of i.
static int scanBad(int count, char **from) {
  char **all = malloc(sizeof(char *) * count);
  if (!all) exit(1);
  for (int i = 0; i < count; i++) all[i] = from[i];
  for (int i = 0; i <= count; i++)
    // CHECK-DAG: results.c:[[#@LINE+2]]:{{[0-9]+}}: out-of-bounds-read
    // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: uninitialized-read
    if (all[i] == from[0]) return i;
  return 0;
}
static int findFrom(int start, int count, char **all) {
  for (int i = start; i < count; i++)
    if (strcmp(all[i], "x") == 0) return i;
  return count;
}
static int scanOk(int count, char **from) {
  char **all = malloc(sizeof(char *) * count);
  if (!all) exit(1);
  for (int i = 0; i < count; i++) all[i] = from[i];
  return findFrom(1, count, all) + findFrom(2, count, all);
}
// Texts that strncmp found equal are as long as it looked, and have the same bytes.
static int prefixBad(const char *name, size_t bytes) {
  const char *at = bytes > 3 ? name : "";
  while (strncmp(at, "../", bytes) == 0) at += 3;
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-read: read of 1 byte at offset 3 of an object of 1 byte
  return *at;
}
static int prefixOk(const char *name, size_t bytes) {
  const char *at = bytes > 3 ? name : "";
  while (strncmp(at, "../", 3) == 0) at += 3;
  return *at;
}
static int equalOk(const char *word) {
  const char *found = NULL;
  if (word[0] == 'o') found = word;
  if (strcmp(word, "on") == 0) return found[1];
  return 0;
}
// A text that is copied with its end is as long as it was, and each byte before its end is none.
static char *duplicate(const char *text) {
  const size_t bytes = strlen(text) + 1;
  char *out = malloc(bytes);
  if (!out) exit(1);
  memcpy(out, text, bytes);
  return out;
}
static int slashes(const char *path) {
  int count = 0;
  for (int i = 0; path[i]; i++) count += path[i] == '/';
  return count;
}
static int copyBad(void) {
  char *copy = duplicate("ab");
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: division-by-zero
  const int out = 1 / slashes(copy + 2) + (copy[1] ? 1 : 2);
  free(copy);
  return out;
}
static int copyOk(const char *text) {
  char *copy = duplicate(text[0] ? "/" : "");
  const int out = (strcmp(copy, "/") == 0) + slashes(copy);
  if (strlen(copy) > 1) return copy[30];
  free(copy);
  return out;
}
// Two bits make four numbers.
static int maskBad(int flags) {
  int out;
  switch (flags & 18) {
  case 0:
  case 2:
  case 16: out = flags;
  }
  // CHECK-DAG: results.c:[[#@LINE+1]]:{{[0-9]+}}: uninitialized-read
  return out + 1;
}
static int maskOk(int flags) {
  int out;
  switch (flags & 18) {
  case 0:
  case 2:
  case 16:
  case 18: out = flags;
  }
  return out + 1;
}
// An array of a structure that a loop in another function fills.
struct list {
  const char *names[3];
  int count;
};
static void fill(char **from, int count, struct list *out) {
  out->count = 0;
  for (int i = 0; i < count; i++) {
    if (!from[i][0]) continue;
    if (out->count == 3) break;
    out->names[out->count++] = from[i];
  }
}
static void filledOk(char **from, int count) {
  struct list all;
  fill(from, count, &all);
  for (int i = 0; i < all.count; i++) puts(all.names[i]);
}
static void texts(int argc, char **argv) {
  char text[100] = "";
  puts(endBad(argv[1]));
  puts(endOk(argv[1]));
  digitsBad(argc, text);
  digitsOk(argc, text);
  limitOk(text);
}
static void paths(int argc, char **argv) {
  suffixBad(argv[1]);
  suffixOk(argv[1]);
  printf("%d %d\n", prefixBad(argv[1], argc), prefixOk(argv[1], argc));
  printf("%d %d\n", copyOk(argv[1]), argc > 3 ? copyBad() : 0);
}
static void numbers(int argc, char **argv) {
  static const struct vector v[200]; // optionBad knows numbers up to 'c'
  printf("%d %d\n", maskBad(argc), maskOk(argc));
  printf("%ld %ld\n", divideBad(v + argc), divideOk(v + argc));
  dayBad(argv[1]);
  dayOk();
}
static void options(int argc, char **argv) {
  printf("%d %d\n", optionBad(argc, argv[1]), optionOk(argc, argv[1]));
  printf("%d\n", equalOk(argv[1]));
}
int main(int argc, char **argv) {
  struct bits *b = NULL;
  options(argc, argv);
  numbers(argc, argv);
  texts(argc, argv);
  paths(argc, argv);
  environmentBad();
  environmentOk();
  againBad(argv[1]);
  againOk(argv[1]);
  printf("%u\n", bitsBad());
  bitsOk(&b);
  filledOk(argv, argc);
  printf("%d %d\n", scanBad(argc, argv), scanOk(argc, argv));
  return b->low;
}
