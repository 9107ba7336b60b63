/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs inside the observed program: knows of each byte which object it belongs to and which
 * statement wrote it last, and writes what pointers pointed to into the file `observed`. Without
 * any library, because libc is observed too.
 */
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

enum {
  kPageBytes = 4096,
  kPages = 1 << 18,
  kObjects = 1 << 22,
  kRecords = 1 << 21,
  kTable = 1 << 22
};
enum { kAddress = 1, kLoaded = 2, kDefUse = 3, kCalled = 4 };

struct page {
  uint32_t object[kPageBytes]; /* index into objects, 0: none */
  uint32_t writer[kPageBytes]; /* statement + 1 */
};
struct object {
  uint64_t start;
  uint32_t id;
};
struct record {
  uint32_t kind, a, b, c;
};

static uint64_t pageNumber[kPages];
static struct page *pages[kPages];
static struct object *objects;
static struct record *records; /* the file */
static uint32_t *table;
static uint32_t numObjects, numRecords, started;

static long call(long n, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static void *map(uint64_t bytes, long fd) {
  /* Private and anonymous, or shared. Pages come when they are touched. */
  return (void *)call(SYS_mmap, 0, (long)bytes, 3, fd < 0 ? 0x4022 : 1, fd, 0);
}

static void start(void) {
  if (started) return;
  started = 1;
  long fd = call(SYS_open, (long)"observed", 0102 | 01000, 0644, 0, 0, 0);
  call(SYS_ftruncate, fd, kRecords * sizeof(struct record), 0, 0, 0, 0);
  records = map(kRecords * sizeof(struct record), fd);
  table = map(kTable * sizeof(uint32_t), -1);
  objects = map(kObjects * sizeof(struct object), -1);
  numObjects = 1;
}

static struct page *pageOf(uint64_t address, int make) {
  uint64_t number = address / kPageBytes + 1;
  uint32_t at = (uint32_t)(number * 0x9e3779b97f4a7c15u >> 40) % kPages;
  while (pageNumber[at] && pageNumber[at] != number) at = (at + 1) % kPages;
  if (pageNumber[at]) return pages[at];
  if (!make) return NULL;
  pageNumber[at] = number;
  return pages[at] = map(sizeof(struct page), -1);
}

static uint32_t objectAt(uint64_t address) {
  struct page *p = pageOf(address, 0);
  return p ? p->object[address % kPageBytes] : 0;
}

static void note(uint32_t kind, uint32_t a, uint32_t b, uint32_t c) {
  uint64_t hash = ((((uint64_t)kind * 31 + a) * 0x9e3779b97f4a7c15u) ^ b) * 0xff51afd7ed558ccdu ^ c;
  uint32_t at = (uint32_t)((hash * 0x9e3779b97f4a7c15u) >> 42) % kTable;
  for (; table[at]; at = (at + 1) % kTable) {
    struct record *r = &records[table[at] - 1];
    if (r->kind == kind && r->a == a && r->b == b && r->c == c) return;
  }
  if (numRecords == kRecords) return;
  records[numRecords] = (struct record){kind, a, b, c};
  table[at] = ++numRecords;
}

/* Arguments of a variadic function lie where objects of frames were that are gone. */
void __observe_forget(uint32_t unused, uint64_t address, uint64_t bytes) {
  (void)unused;
  for (uint64_t i = 0; i < bytes; i++) {
    struct page *p = pageOf(address + i, 0);
    if (!p) continue;
    p->object[(address + i) % kPageBytes] = 0;
    p->writer[(address + i) % kPageBytes] = 0;
  }
}

/* A new object: nothing in it was written. */
void __observe_object(uint32_t id, uint64_t address, uint64_t bytes) {
  start();
  if (!address || bytes > (1u << 26)) return;
  /* The table is full: what lies there now is not known, and it is no longer what lay there. */
  if (numObjects == kObjects) return __observe_forget(0, address, bytes);
  objects[numObjects] = (struct object){address, id};
  for (uint64_t i = 0; i < bytes; i++) {
    struct page *p = pageOf(address + i, 1);
    p->object[(address + i) % kPageBytes] = numObjects;
    p->writer[(address + i) % kPageBytes] = 0;
  }
  numObjects++;
}

void __observe_string(uint32_t id, uint64_t address) {
  uint64_t bytes = 1;
  if (!address) return;
  while (((const char *)address)[bytes - 1]) bytes++;
  __observe_object(id, address, bytes);
}

static void access(uint32_t statement, uint64_t address) {
  uint32_t index = objectAt(address);
  if (index)
    note(kAddress, statement, objects[index].id, (uint32_t)(address - objects[index].start));
}

void __observe_load(uint32_t statement, uint64_t address, uint64_t bytes) {
  start();
  access(statement, address);
  struct page *p = pageOf(address, 0);
  /* The first byte stands for all: accesses of other widths overlap it or not. */
  if (p && bytes && p->writer[address % kPageBytes])
    note(kDefUse, p->writer[address % kPageBytes] - 1, statement, 0);
}

void __observe_store(uint32_t statement, uint64_t address, uint64_t bytes) {
  start();
  access(statement, address);
  for (uint64_t i = 0; i < bytes; i++)
    pageOf(address + i, 1)->writer[(address + i) % kPageBytes] = statement + 1;
}

/* A pointer that was read. One behind an object may be one to the next. */
void __observe_pointer(uint32_t statement, uint64_t value) {
  start();
  uint32_t index = objectAt(value), before = objectAt(value - 1);
  if (!index || (before && before != index)) return;
  note(kLoaded, statement, objects[index].id, (uint32_t)(value - objects[index].start));
}

void __observe_call(uint32_t statement, uint64_t target) {
  start();
  uint32_t index = objectAt(target);
  if (index) note(kCalled, statement, objects[index].id, 0);
}
