/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The element behind the array is the pointer, where nothing lies between them. */
#include <unistd.h>

int main(void) {
  char c = 0;
  const char *text = "text";
  long numbers[2] = {0, 0};
  int index = 0;
  read(0, &c, 1);
  if (c == 'x') index = 2;
  numbers[index] = 8;
  return *text == 'x';
}
