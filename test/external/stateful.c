// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -shared -fPIC %S/Inputs/stateful.c -o %t.so
// RUN: %fathom-cc -g -w %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: %explore %t.program %t statuses=0,1,2,3,4 ledger=external-call -- --load %t.so --external defer-strict --sym-stdin 2
// RUN: grep -q "memory that belongs to a library" %t.out/ledger.json
// RUN: %explore %t.program %t.defer statuses=0,1,2,3,4 ledger=external-call -- --load %t.so --external defer --sym-stdin 2
// RUN: %explore %t.program %t.jobs statuses=0,1,2,3,4 ledger=external-call -- --load %t.so --external defer-strict --sym-stdin 2 --jobs 2
// RUN: %explore %t.program %t.concretize statuses=0,1,2,3 ledger=external-call -- --load %t.so --external concretize --sym-stdin 2
//
// What a function of a library gives depends on the calls before it on the path: handles, counts, memory that it was given. A path sees
// its own calls and nobody else's.
#include <unistd.h>

struct box *box_new(int first);
void box_add(struct box *box, int value);
int box_sum(const struct box *box), box_adds(const struct box *box);
int ticket(void);
void keep(const unsigned char *memory);
int peek(int place);
const char *version(void);

int main(void) {
  unsigned char in[2];
  if (read(0, in, 2) != 2) return 8;
  struct box *box = box_new(5);
  if (in[0] & 1) ticket(); // of this path only
  const int number = ticket();
  if (number != 1 + (in[0] & 1)) return 8;
  switch (in[1]) {
  case 1:
    box_add(box, in[0]);
    box_add(box, 10);
    if (box_adds(box) != 2) return 8;
    if (box_sum(box) == 5 + 10 + 77) return 4; // in[0] == 77
    return 1;
  case 2:
    keep(in);
    in[0] = 33; // after it was given away
    return peek(0) == 33 ? 2 : 8;
  case 3: return version()[0]; // memory of the library: the path ends
  case 4: return 3;
  default: return 0;
  }
}
