// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// memcpy with ranges that overlap: concrete, by an input, as a function, and what is none.
#include <string.h>
#include <unistd.h>

static char text[1024];
struct large {
  char bytes[400];
};

static int concrete(void) {
#ifdef FIXED
  memmove(text + 3, text, 10);
#else
  memcpy(text + 3, text, 10); // BUG bad-call
#endif
  return text[4];
}
static int byInput(unsigned char c) {
#ifdef FIXED
  if (c < 16) return 0;
#endif
  memcpy(text + c, text, 16); // BUG bad-call
  return text[c];
}
static int bySize(unsigned char c) {
  static char small[64];
#ifdef FIXED
  c &= 15;
#endif
  if (c > 40) return 0;
  memcpy(small + 16, small, c); // BUG bad-call
  return small[17];
}
static int asFunction(void) {
  void *(*volatile copy)(void *, const void *, size_t) = memcpy;
#ifdef FIXED
  copy = memmove;
#endif
  copy(text, text + 1, 8); // BUG bad-call
  return text[0];
}
static int fine(unsigned char c) {
  static struct large a, b[2];
  struct large *p = c ? &a : b;
  *p = *p; // to itself
  b[1] = b[0];
  memcpy(text + 8, text, 8);
  memcpy(text, text + 8, 8);
  memcpy(text, text, 0);
  return p->bytes[0];
}

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'c': return concrete();
  case 'i': return in[1] ? byInput(in[1]) : 0;
  case 's': return bySize(in[1]);
  case 'f': return asFunction();
  case 'o': return fine(in[1]);
  }
  return 0;
}
