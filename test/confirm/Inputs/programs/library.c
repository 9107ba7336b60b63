// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No program needs this.
struct list { struct list *next; int value; };
int second(struct list *list) {
  struct list *none = 0;
  if (list->value == 5) list = none;
  return list->value; // REPORT
}
// Exported: a harmless caller inside says nothing of those elsewhere.
int third(struct list *list) {
  struct list *none = 0;
  if (list->value == 6) list = none;
  return list->value; // REPORT
}
int harmless(void) {
  struct list one = {0, 1};
  return third(&one);
}
