// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallerMemory.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

namespace fathom::helper {

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kFetchAtOnce = 16 * kPage;
constexpr size_t kMaxRanges = 1 << 14, kMaxMapsText = 1 << 20;
/// Of a hash table, so that not all of them are used: 192 MB.
constexpr size_t kSlots = 1 << 16, kMaxPages = kSlots / 4 * 3;
constexpr size_t kKeepResident = 256 * kPage; ///< from one call to the next

struct Range {
  uint64_t from, to;
  bool readable, writable;
};
/// A page that was fetched.
struct Page {
  uint64_t address;
  uint8_t *before; ///< a copy, once it may have changed
};

pid_t other;
Range ranges[kMaxRanges];
size_t rangeCount, reserved; ///< reserved: so many, from the first on
Page pages[kSlots];
size_t pageCount;
uint32_t fetched[kMaxPages]; ///< slots of pages
uint32_t written[kMaxPages]; ///< slots of pages with a copy
size_t writtenCount;
char text[kMaxMapsText];
uint8_t *keep; ///< room for a copy of every page
alignas(16) uint8_t handlerStack[1 << 16];

/// Addresses are numbers here: they are the other process's.
void *at(uint64_t address) {
  return reinterpret_cast<void *>(address); // NOLINT(performance-no-int-to-ptr)
}

const Range *rangeOf(uint64_t address) {
  const Range *begin = ranges, *end = ranges + rangeCount;
  const Range *r =
      std::upper_bound(begin, end, address, [](uint64_t a, const Range &x) { return a < x.to; });
  return r != end && address >= r->from ? r : nullptr;
}

/// The slot of this page, or the free one where it belongs.
Page &slotOf(uint64_t page) {
  size_t i = (page / kPage * 0x9E3779B97F4A7C15ul) >> 48;
  while (pages[i].address && pages[i].address != page) i = (i + 1) % kSlots;
  return pages[i];
}

/// This page and some that follow it, to be read. False: it cannot be read there either.
bool fetch(const Range &range, uint64_t page) {
  if (!range.readable) return false;
  uint64_t end = page;
  while (end < range.to && end < page + kFetchAtOnce && !slotOf(end).address) end += kPage;
  if (pageCount + (end - page) / kPage > kMaxPages) return false;
  if (mprotect(at(page), end - page, PROT_READ | PROT_WRITE) != 0) return false;
  iovec here{at(page), end - page}, there = here;
  const ssize_t n = process_vm_readv(other, &here, 1, &there, 1, 0);
  const uint64_t got = n > 0 ? page + static_cast<uint64_t>(n) / kPage * kPage : page;
  if (got > page) mprotect(at(page), got - page, PROT_READ);
  if (end > got) mprotect(at(got), end - got, PROT_NONE);
  for (uint64_t p = page; p < got; p += kPage) {
    Page &slot = slotOf(p);
    slot = {p, nullptr};
    fetched[pageCount++] = static_cast<uint32_t>(&slot - pages);
  }
  return got > page;
}

bool keepCopy(Page &page) {
  page.before = keep + writtenCount * kPage;
  memcpy(page.before, at(page.address), kPage);
  written[writtenCount++] = static_cast<uint32_t>(&page - pages);
  return mprotect(at(page.address), kPage, PROT_READ | PROT_WRITE) == 0;
}

/// Once in a process. Costs address space alone.
bool makeRoomForCopies() {
  if (keep) return true;
  void *room = mmap(nullptr, kMaxPages * kPage, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, /*offset=*/0);
  if (room == MAP_FAILED) return false;
  keep = static_cast<uint8_t *>(room);
  return true;
}

/// Gives access to this address. False: the other process has none, or it was given before.
bool touch(uint64_t address, bool write) {
  const Range *range = rangeOf(address);
  if (!range) return false;
  const uint64_t page = address & ~(kPage - 1);
  const bool isNew = !slotOf(page).address;
  if (isNew && !fetch(*range, page)) return false;
  if (!write) return isNew;
  Page &p = slotOf(page);
  return range->writable && !p.before && keepCopy(p);
}

void onFault(int signal, siginfo_t *info, void *context) {
  constexpr long kWrite = 2, kJump = 16; // of the processor's error code
  const long error = static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR];
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  if (!(error & kJump) && touch(address, error & kWrite)) return;
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr); // it happens once more, and is the end
}

bool handleFaults() {
  stack_t stack{};
  stack.ss_sp = handlerStack;
  stack.ss_size = sizeof handlerStack;
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  return sigaltstack(&stack, nullptr) == 0 && sigaction(SIGSEGV, &action, nullptr) == 0;
}

/// The process's mappings, as the kernel lists them: in order.
bool readRanges() {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/maps", other);
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t size = 0;
  ssize_t n = 0;
  while (size < sizeof text - 1 && (n = read(fd, text + size, sizeof text - 1 - size)) > 0)
    size += static_cast<size_t>(n);
  close(fd);
  if (n < 0) return false;
  errno = ENOMEM;
  if (size == sizeof text - 1) return false;
  for (char *line = text; *line;) {
    char *end = strchr(line, '\n');
    if (!end) break;
    *end = 0;
    unsigned long from = 0, to = 0;
    char rights[8] = "";
    // What the kernel maps into every process ([vdso], [vvar], [vsyscall]) is not the program's.
    if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 && !strstr(line, " [v")) {
      if (rangeCount == kMaxRanges) return false;
      ranges[rangeCount++] = {from, to, rights[0] == 'r', rights[1] == 'w'};
    }
    line = end + 1;
  }
  return true;
}

/// So that nothing of ours comes to lie there. False: something does.
bool reserve(const Range &range) {
  void *wanted = at(range.from);
  void *got =
      mmap(wanted, range.to - range.from, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, /*offset=*/0);
  return got == wanted;
}

void setLimit(rlim_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

void limitMemory(uint64_t room) {
  unsigned long total = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return;
  if (fscanf(file, "%lu", &total) == 1) setLimit(total * kPage + room);
  fclose(file);
}

/// Collects what goes back, many pieces in one system call.
class Pieces {
public:
  bool add(void *address, size_t size) {
    if (count_ == kMost && !flush()) return false;
    pieces_[count_++] = {address, size};
    bytes_ += static_cast<ssize_t>(size);
    return true;
  }
  bool flush() {
    const ssize_t n =
        count_ ? process_vm_writev(other, pieces_, count_, pieces_, count_, 0) : ssize_t(0);
    const bool isDone = n == bytes_;
    count_ = 0;
    bytes_ = 0;
    return isDone;
  }

private:
  static constexpr size_t kMost = 256;
  iovec pieces_[kMost];
  size_t count_ = 0;
  ssize_t bytes_ = 0;
};

} // namespace

bool attach(pid_t process, uint64_t room, int &error) {
  other = process;
  errno = 0;
  setLimit(RLIM_INFINITY);
  if (!readRanges() || !handleFaults() || !makeRoomForCopies()) {
    error = errno ? errno : ESRCH;
    return false;
  }
  error = 0;
  for (; reserved < rangeCount; ++reserved)
    if (!reserve(ranges[reserved])) return false;
  limitMemory(room);
  // Is its memory ours to read at all?
  uint64_t word = 0;
  for (size_t i = 0; i < rangeCount; ++i) {
    if (!ranges[i].readable) continue;
    iovec here{&word, sizeof word}, there{at(ranges[i].from), sizeof word};
    if (process_vm_readv(other, &here, 1, &there, 1, 0) == sizeof word) return true;
    error = errno;
  }
  if (!error) error = ESRCH;
  return false;
}

void prefetch(uint64_t address) {
  const Range *range = rangeOf(address);
  if (!range) return;
  const uint64_t from = address & ~(kPage - 1), end = std::min(range->to, from + kFetchAtOnce);
  for (uint64_t page = from; page < end; page += kPage) touch(page, range->writable);
}

bool writeBack() {
  Pieces pieces;
  for (size_t i = 0; i < writtenCount; ++i) {
    const Page &page = pages[written[i]];
    auto *now = static_cast<uint8_t *>(at(page.address));
    if (memcmp(now, page.before, kPage) == 0) continue;
    for (size_t from = 0; from < kPage;) {
      // Bytes beside those that changed stay as they are: another thread's may be among them.
      if (now[from] == page.before[from]) {
        ++from;
        continue;
      }
      size_t to = from + 1;
      while (to < kPage && now[to] != page.before[to]) ++to;
      if (!pieces.add(now + from, to - from)) return false;
      from = to;
    }
  }
  return pieces.flush();
}

void detach() {
  for (size_t i = 0; i < reserved; ++i) munmap(at(ranges[i].from), ranges[i].to - ranges[i].from);
  for (size_t i = 0; i < pageCount; ++i) pages[fetched[i]] = {};
  if (writtenCount * kPage > kKeepResident) madvise(keep, writtenCount * kPage, MADV_DONTNEED);
  rangeCount = reserved = pageCount = writtenCount = 0;
}

} // namespace fathom::helper
