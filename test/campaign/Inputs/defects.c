// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A defect for each letter of the input, one after the other: those in small letters end the process, those in capitals
// are wrong and do no harm natively.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
  struct node *next;
  long value;
};

static int *leftOver(void) {
  int local = 7;
  int *pointer = &local;
  return pointer;
}

static int readLeftOver(void) {
  return *leftOver() & 1; // RETURNED
}

static void writeBeyond(void) {
  char *volatile block = malloc(8);
  block[9] = 'x'; // BEYOND
  free(block);
}

static void fill(char *to, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = 'x'; // OVERFLOW
}

static void overflow(void) {
  char *block = malloc(16);
  fill(block, 40);
  free(block);
}

static int readFar(long index) {
  char *block = malloc(16);
  return block[index]; // FAR
}

static long useFreed(void) {
  struct node *first = malloc(sizeof *first), *second;
  first->next = (struct node *)0x123456789000;
  free(first);
  second = first->next; // FREED
  return second->value; // WILD
}

static int useNull(struct node *node) {
  return (int)node->value; // NULL
}

static int recurse(volatile int *depth) {
  char frame[4096];
  memset(frame, (*depth)++, sizeof frame); // DEEP
  return recurse(depth) + frame[17];
}

static int divide(int by) {
  return 100 / by; // ZERO
}

static void giveUp(void) {
  abort(); // ABORT
}

static void check(int letter) {
  assert(letter != 'e'); // ASSERT
}

static void freeTwice(void) {
  char *block = malloc(32);
  free(block);
  free(block); // TWICE
}

int main(void) {
  char letters[32];
  volatile int depth = 0;
  long count = read(0, letters, sizeof letters);
  for (long i = 0; i < count; i++) switch (letters[i]) {
    case 'R': readLeftOver(); break;
    case 'W': writeBeyond(); break;
    case 'o': overflow(); break;
    case 'r': readFar(0x40000000); break;
    case 'f': useFreed(); break;
    case 'n': useNull(0); break;
    case 'd': recurse(&depth); break;
    case 'z': divide(depth); break;
    case 'a': giveUp(); break;
    case 'e': check(letters[i]); break;
    case 't': freeTwice(); break;
    default: break;
    }
  return 0;
}
