// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of which the processor notices nothing, one for each first letter.
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char table[10];
static const char *const names[] = {"zero", "one", "two"};
static jmp_buf back;

static void writeHeap(size_t size) {
  char *block = malloc(size);
  block[size] = 'x'; // HEAP-WRITE
  free(block);
}

static int readHeap(void) {
  char *block = calloc(3, 4);
  int before = block[-1]; // HEAP-READ
  free(block);
  return before;
}

static int useFreed(void) {
  int *block = malloc(40);
  free(block);
  return block[3]; // FREED
}

static int readStack(const char *text) {
  char local[8];
  volatile int index = (int)strlen(text);
  memset(local, 0, sizeof local);
  return local[index + 7]; // STACK
}

static int readTable(int index) {
  return table[index]; // GLOBAL
}

static void copyTooMuch(const char *text) {
  char *block = malloc(4);
  strcpy(block, text); // COPY
  free(block);
}

static void freeTwice(void) {
  char *block = malloc(32);
  free(block);
  free(block); // TWICE
}

static void freeInside(void) {
  char *block = malloc(32);
  free(block + 16); // INSIDE
}

static void jump(void) {
  char local[100];
  memset(local, 1, sizeof local);
  longjmp(back, local[3]);
}

/* Nothing is wrong: blocks of all sizes, alignments, frames that are left by a jump. */
static int allRight(void) {
  char *blocks[64], *large = 0;
  void *aligned = 0;
  for (int round = 0; round < 40; round++) {
    for (int i = 0; i < 64; i++) {
      blocks[i] = malloc((size_t)(i * i * (round + 1) % 5000));
      memset(blocks[i], i, (size_t)(i * i * (round + 1) % 5000));
    }
    large = realloc(large, (size_t)(round + 1) * 100000);
    memset(large, round, (size_t)(round + 1) * 100000);
    if (posix_memalign(&aligned, 256, 100)) return 1;
    if ((uintptr_t)aligned % 256) abort();
    memset(aligned, 0, 100);
    free(aligned);
    for (int i = 0; i < 64; i++) free(blocks[(i * 7) % 64]);
  }
  free(large);
  if (!setjmp(back)) jump();
  char text[40];
  snprintf(text, sizeof text, "%s %d %.3f", names[1], 17, 2.5);
  return strcmp(text, "one 17 2.500");
}

static int add(int a, int b) {
  return a + b; // OVERFLOW
}
static int shift(int value, int by) {
  return value << by; // SHIFT
}
static int divide(int a, int b) {
  return a / b; // WRAPS
}
static int second(int index) {
  struct {
    int first[4], next[4];
  } both = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  return both.first[index]; // INDEX
}

int main(void) {
  char line[64] = "";
  long length = read(0, line, sizeof line - 1);
  volatile int number = length > 1 ? atoi(line + 1) : 0;
  switch (line[0]) {
  case 'w': writeHeap(13); break;
  case 'r': return readHeap();
  case 'f': return useFreed();
  case 's': return readStack(line);
  case 'g': return readTable(number);
  case 'c': copyTooMuch(line); break;
  case 't': freeTwice(); break;
  case 'i': freeInside(); break;
  case 'o': return add(2147483647, number);
  case 'l': return shift(1, number);
  case 'd': return divide(-2147483647 - 1, number);
  case 'x': return second(number);
  case 'n': return *(volatile int *)(uintptr_t)(unsigned)number;
  case '.': return allRight();
  default: break;
  }
  return 0;
}
