/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * AFL++'s comparison log ("CmpLog"), in the comparison variants of a program: what its code
 * compares (lib/campaign/ComparisonPass.h inserts the calls) is written where afl-fuzz looks for it
 * to find the bytes of the input that have to be changed.
 *
 * The log is a table that a place in the code chooses a row of, as AFL++ 4.04c has it: rows that
 * meet by chance are mixed, which costs attempts and nothing else.
 */
#include "../posix/syscalls.h"

#include <asm/unistd.h>
#include <linux/uio.h>

long __fathom_kernel(long number, long a, long b, long c, long d, long e, long f); /* machine.c */

enum { kRows = 65536, kEntries = 32, kCallEntries = 8, kMostBytes = 31 };
enum { kInstruction = 1, kCall = 2, kIsText = 0x80 };

struct row { /* eight bytes; AFL++'s has room for more */
  unsigned long hits : 24, id : 24, shape : 5, type : 2, attribute : 4, reserved : 5;
};
union entry {
  struct {
    unsigned long a, b, aHigh, bHigh;
  } instruction;
  byte half[32];
};
struct call_entry {
  byte a[kMostBytes], aBytes, b[kMostBytes], bBytes;
};
static struct log {
  struct row rows[kRows];
  union entry entries[kRows][kEntries];
} *log;

_Static_assert(sizeof(struct row) == 8 && sizeof(union entry) == 32, "as in AFL++");
_Static_assert(sizeof(struct call_entry) == 64, "as in AFL++");

void __fathom_logComparisons(void *memory) { log = memory; }

/* The row of a place, and how often it was used before. */
static usize rowOf(usize place, unsigned type, unsigned shape, usize *hits) {
  const usize index = place * 0x9e3779b97f4a7c15ul >> 48;
  struct row *row = &log->rows[index];
  if (row->type != type) {
    row->type = type & 3;
    row->hits = 0;
    row->shape = 0;
  }
  *hits = row->hits++;
  if (row->shape < shape) row->shape = shape & 31;
  return index;
}

static void compared(usize place, unsigned long a, unsigned long b, unsigned bytes,
                     unsigned attribute) {
  usize hits;
  const usize index = rowOf(place, kInstruction, bytes - 1, &hits);
  log->rows[index].attribute = attribute & 15;
  union entry *entry = &log->entries[index][hits % kEntries];
  entry->instruction.a = a;
  entry->instruction.b = b;
}

/* `how`: AFL++'s attribute, 1 equal, 2 greater, 4 less, and their sums. */
void __fathom_compared(unsigned long a, unsigned long b, unsigned bytes, unsigned how) {
  if (log && a != b) compared((usize)__builtin_return_address(0), a, b, bytes, how);
}

/* As -fsanitize-coverage=trace-cmp calls it: count, bits of the value, values. */
void __sanitizer_cov_trace_switch(unsigned long value, const unsigned long *cases) {
  if (!log) return;
  const usize place = (usize)__builtin_return_address(0);
  for (usize i = 0; i < cases[0]; i++)
    if (cases[i + 2] != value)
      compared(place + i, value, cases[i + 2], (unsigned)((cases[1] + 7) / 8), 1);
}

/* What can be read there, at most kMostBytes, through the kernel: a pointer may be anything. */
static usize readBytes(const void *from, byte *to) {
  struct iovec here = {to, kMostBytes}, there = {(void *)from, kMostBytes};
  long self = __fathom_kernel(__NR_getpid, 0, 0, 0, 0, 0, 0);
  long got = __fathom_kernel(__NR_process_vm_readv, self, (long)&here, 1, (long)&there, 1, 0);
  if (got > 0) return (usize)got;
  /* It crosses into a page that is not there: up to its end. */
  usize near = 4096 - (usize)from % 4096;
  if (!from || near >= kMostBytes) return 0;
  here.iov_len = there.iov_len = near;
  got = __fathom_kernel(__NR_process_vm_readv, self, (long)&here, 1, (long)&there, 1, 0);
  return got > 0 ? (usize)got : 0;
}

static usize lengthOf(const byte *text, usize most) {
  usize length = 0;
  while (length < most && text[length]) length++;
  return length < most ? length + 1 : length;
}

/* Before a call with two pointers; `isText`: what they point to ends with a NUL. */
void __fathom_comparedBytes(const void *a, const void *b, unsigned isText) {
  if (!log || !a || !b) return;
  struct call_entry now = {{0}, 0, {0}, 0};
  usize aBytes = readBytes(a, now.a), bBytes = readBytes(b, now.b), hits;
  if (isText) {
    aBytes = lengthOf(now.a, aBytes);
    bBytes = lengthOf(now.b, bBytes);
  } else {
    aBytes = bBytes = aBytes < bBytes ? aBytes : bBytes;
  }
  const usize most = aBytes > bBytes ? aBytes : bBytes;
  if (!aBytes || !bBytes || most < 2) return;
  now.aBytes = (byte)(aBytes | (isText ? kIsText : 0));
  now.bBytes = (byte)(bBytes | (isText ? kIsText : 0));
  const usize index = rowOf((usize)__builtin_return_address(0), kCall, (unsigned)most - 1, &hits);
  struct call_entry *entries = (struct call_entry *)log->entries[index];
  entries[hits % kCallEntries] = now;
}
