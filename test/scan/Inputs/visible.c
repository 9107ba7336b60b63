// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int visible;
static int hidden, there;

int get(void) {
  int *p = visible ? 0 : &there;
  return *p;
}

int getHidden(void) {
  int *p = hidden ? 0 : &there;
  return *p;
}
