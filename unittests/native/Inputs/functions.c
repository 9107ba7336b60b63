/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Foreign functions for ExternalRunnerTest.cpp. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int calls;

long addTen(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
double addReals(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
double mixed(int a, double b, int c, float d) { return a + b + c + (double)d; }
float halve(float x) { return x / 2; }
int sumVariadic(int count, ...) {
  va_list list;
  va_start(list, count);
  double sum = 0;
  for (int i = 0; i < count; i++) sum += va_arg(list, double);
  va_end(list);
  return (int)sum;
}
long reverse(char *text, long size) {
  for (long i = 0; i < size / 2; i++) {
    char c = text[i];
    text[i] = text[size - 1 - i];
    text[size - 1 - i] = c;
  }
  return size;
}
int count(void) { return ++calls; }
void crash(void) { *(volatile int *)8 = 1; }
void abortNow(void) { abort(); }
void hang(void) {
  for (;;) usleep(1000);
}
void leave(int status) { exit(status); }
struct list {
  struct list *next;
  long value;
};
long sumList(struct list *l) {
  long sum = 0;
  for (; l; l = l->next) sum += l->value, l->value = 0;
  return sum;
}
struct list *lastOf(struct list *l) {
  while (l->next) l = l->next;
  return l;
}
void fill(char *at, unsigned long size) { memset(at, 7, size); }
/* A sum, for most arguments. */
long picky(unsigned char *text, long size, long x) {
  if (x == 77) *(volatile int *)8 = 1;
  if (x == 88) text[size] = 1;
  if (x == 99) exit(3);
  long sum = x;
  for (long i = 0; i < size; i++) sum += text[i];
  return sum;
}
void *whereAmI(void) { return &calls; }
/* Allocates and touches until there is no more. */
long hoard(void) {
  enum { kEach = 1 << 20 };
  static char *volatile last; /* compilers leave out memory that is not read */
  long count = 0;
  for (; (last = malloc(kEach)); count++) memset(last, 1, kEach);
  return count;
}
long doze(long x) {
  usleep(50000);
  return 3 * x;
}
/* Not what a function should do with descriptors that are not its own. */
long closeAll(void) {
  for (int i = 0; i < 64; i++) close(i);
  return 1;
}
long chatter(void) {
  char text[100] = {0};
  return write(3, text, sizeof text);
}
