// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t -fno-common
// Globals: relocations in constant initialisers, differences of addresses, aliases, weak symbols, thread-local and static locals.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static int array[5] = {1, 2, 3, 4, 5};
static int *const middle = &array[2];
static const char *const words[] = {"zero", "one", "two", [5] = "five"};
struct op { const char *name; int (*run)(int, int); const struct op *next; };
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static const struct op second = {"sub", sub, NULL}, table[] = {{"add", add, &second}, {"swap", sub, table}};
static char *const end = (char *)(array + 5) - 1;
static uintptr_t number = (uintptr_t)&array[1];
static const int *const *const indirect = (const int *const *)&middle;
int target = 77;
extern int other __attribute__((alias("target")));
static int realFunction(void) { return 5; }
int renamed(void) __attribute__((alias("realFunction")));
extern int missing(void) __attribute__((weak));
extern int missingData __attribute__((weak));
__attribute__((weak)) int overridable(void) { return 1; }
static __thread int perThread = 9;
static _Thread_local char threadBuffer[16] = "tls";
static int counter(void) { static int n = 100; return n++; }
static const union { double d; uint64_t u; } pi = {3.141592653589793};
static const struct { char c; long l; short s[3]; } padded = {'p', -1, {1, 2, 3}};
static const wchar_t wide[] = L"wide\u20ac";
static const struct { int n; const char *p; } compound[] = {{1, (const char *)&padded}, {2, &"literal"[3]}};
int common[4];

int main(void) {
  printf("%d %d %s %s %d\n", *middle, middle[1], words[1], words[5], words[3] == NULL);
  printf("%d %d %s %s\n", table[0].run(5, 3), table[1].next->run(1, 1), table[0].next->name, table[1].name);
  printf("%d %d %d\n", *end, (int)(number - (uintptr_t)array), **indirect);
  other = 5;
  printf("%d %d %d %d %d %d\n", target, renamed(), missing != NULL, &missingData != NULL, overridable(), &other == &target);
  perThread += 3, threadBuffer[0] = 'T';
  printf("%d %s %d %d\n", perThread, threadBuffer, counter(), counter());
  printf("%llx %ld %d %d %s\n", (unsigned long long)pi.u, padded.l, padded.s[2], (int)wide[4], compound[1].p);
  printf("%d %d\n", compound[0].p == (const char *)&padded, common[0] + common[3]);
  static int *self = (int *)&self;
  printf("%d\n", (void *)self == (void *)&self);
  return 0;
}
