// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six bytes, several ways: sides that a seed of letters takes, and others.
#include <stdio.h>
#include <unistd.h>

static int digits(const unsigned char *text, int count) {
  int found = 0;
  for (int i = 0; i < count; i++) {
    if (text[i] >= '0') {
      if (text[i] <= '9')
        found++;
    }
  }
  return found;
}

static int weigh(const unsigned char *text) {
  int weight = 0;
  if (text[0] == '(')
    weight += 1;
  if (text[1] > 200)
    weight += 2;
  if (text[2] < 7)
    weight += 4;
  if (text[2] == text[3])
    weight += 8;
  return weight;
}

int main(void) {
  unsigned char text[6];
  if (read(0, text, sizeof text) != (ssize_t)sizeof text) return 1;
  const int weight = weigh(text);
  printf("%d\n", weight + digits(text + 4, 2));
  return 0;
}
