// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/UnitMaps.h"

#include "../runtime/native/fuzz.h"
#include "support/TextError.h"

#include <fmt/format.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace fathom::campaign {

using namespace std::chrono_literals;

/// What fork servers use with the compiler's own atomics.
static uint64_t load(const unsigned long &at) { return __atomic_load_n(&at, __ATOMIC_SEQ_CST); }
static void store(unsigned long &at, uint64_t value) {
  __atomic_store_n(&at, value, __ATOMIC_SEQ_CST);
}

UnitMaps::UnitMaps(void *memory, size_t bytes)
    : units_(static_cast<fathom_units *>(memory)), bytes_(bytes) {}

UnitMaps::UnitMaps(UnitMaps &&other) noexcept
    : units_(std::exchange(other.units_, nullptr)), bytes_(other.bytes_) {}

UnitMaps::~UnitMaps() {
  if (units_) munmap(units_, bytes_);
}

static llvm::Expected<void *> mapFile(const std::string &path, int fd, size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  int error = errno;
  close(fd);
  if (memory == MAP_FAILED) return pathError(path, strerror(error));
  return memory;
}

llvm::Expected<UnitMaps> UnitMaps::create(const std::string &path, uint32_t counters,
                                          unsigned slots, uint64_t unitExecutions,
                                          uint64_t firstUnit) {
  const uint64_t mapBytes = (uint64_t(counters) + 63) / 64 * 64;
  const uint64_t bytes = sizeof(fathom_units) + slots * FATHOM_SLOT_BYTES(mapBytes);
  // The file has another name until it is complete.
  const std::string temporary = path + ".new";
  int fd = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return pathError(path, strerror(errno));
  // All blocks are allocated now: if the disk were full later, the writing process would get a
  // SIGBUS.
  if (int error = posix_fallocate(fd, 0, static_cast<off_t>(bytes))) {
    close(fd);
    return pathError(path, strerror(error));
  }
  llvm::Expected<void *> memory = mapFile(path, fd, bytes);
  if (!memory) return memory.takeError();
  UnitMaps maps(*memory, bytes);
  fathom_units &head = *maps.units_;
  head.bytes = bytes;
  head.slots = slots;
  head.counters = counters;
  head.mapBytes = mapBytes;
  head.unitExecutions = unitExecutions;
  head.unit = head.stored = firstUnit;
  head.numbered = firstUnit * unitExecutions;
  for (unsigned i = 0; i < slots; ++i) maps.slot(i).busyFrom = FATHOM_SLOT_IDLE;
  head.magic = FATHOM_UNITS_MAGIC;
  if (rename(temporary.c_str(), path.c_str()) < 0) return pathError(path, strerror(errno));
  return maps;
}

llvm::Expected<UnitMaps> UnitMaps::open(const std::string &path, uint32_t counters,
                                        uint64_t unitExecutions) {
  int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return pathError(path, strerror(errno));
  struct stat info{};
  fstat(fd, &info);
  const size_t bytes = static_cast<size_t>(info.st_size);
  if (bytes < sizeof(fathom_units)) {
    close(fd);
    return pathError(path, "too short for the units of a campaign");
  }
  llvm::Expected<void *> memory = mapFile(path, fd, bytes);
  if (!memory) return memory.takeError();
  UnitMaps maps(*memory, bytes);
  const fathom_units &head = *maps.units_;
  if (head.magic != FATHOM_UNITS_MAGIC || head.bytes != bytes ||
      head.bytes != sizeof(fathom_units) + head.slots * FATHOM_SLOT_BYTES(head.mapBytes))
    return pathError(path, "not the units of a campaign, or of another version");
  if (head.counters != counters || head.unitExecutions != unitExecutions)
    return pathError(path, "belongs to another program, or to other units");
  return maps;
}

fathom_slot &UnitMaps::slot(uint64_t index) const {
  return *reinterpret_cast<fathom_slot *>(reinterpret_cast<uint8_t *>(units_ + 1) +
                                          index * FATHOM_SLOT_BYTES(units_->mapBytes));
}

uint64_t UnitMaps::unit() const {
  return units_->unitExecutions ? load(units_->numbered) / units_->unitExecutions
                                : load(units_->unit);
}

bool UnitMaps::nextUnit() {
  assert(!units_->unitExecutions && "units of executions end by themselves");
  const uint64_t next = units_->unit + 1;
  if (next >= load(units_->stored) + FATHOM_UNITS_KEPT) return false;
  units_->unitNanoseconds = 0;
  store(units_->unit, next);
  return true;
}

/// Can the process still run? A zombie, which its parent has not reaped, cannot.
static bool isAlive(uint64_t pid) {
  if (kill(static_cast<pid_t>(pid), 0) < 0 && errno == ESRCH) return false;
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string stat;
  std::getline(in, stat);
  size_t end = stat.rfind(')'); // the name may hold anything
  return end == std::string::npos || stat.compare(end, 3, ") Z") != 0;
}

/// Frees the slots of fork servers that were killed. First the slot is marked idle, so that no unit
/// waits for it; last of all it becomes free.
void UnitMaps::dropDead() {
  for (uint64_t i = 0; i < units_->slots; ++i) {
    fathom_slot &s = slot(i);
    const uint64_t pid = load(s.pid);
    if (!pid || isAlive(pid)) continue;
    store(s.busyFrom, FATHOM_SLOT_IDLE);
    store(s.pid, 0);
  }
}

void UnitMaps::dropAll() {
  for (int tries = 0; tries < 200; ++tries, std::this_thread::sleep_for(10ms)) {
    dropDead();
    bool isAnyone = false;
    for (uint64_t i = 0; i < units_->slots; ++i) isAnyone |= load(slot(i).pid) != 0;
    if (!isAnyone) return;
  }
  // Another process has got the fork server's number since.
  for (uint64_t i = 0; i < units_->slots; ++i) {
    store(slot(i).busyFrom, FATHOM_SLOT_IDLE);
    store(slot(i).pid, 0);
  }
}

/// No execution of this unit can be in flight. A fork server publishes where it may write to before
/// it looks which unit runs; we have looked at that before.
bool UnitMaps::isQuiet(uint64_t number) const {
  for (uint64_t i = 0; i < units_->slots; ++i) {
    const fathom_slot &s = slot(i);
    const uint64_t busyFrom = load(s.busyFrom);
    if (busyFrom != FATHOM_SLOT_IDLE && busyFrom <= number) return false;
  }
  return true;
}

uint64_t UnitMaps::slots() const { return units_->slots; }

bool UnitMaps::isIdle() const { return isQuiet(FATHOM_SLOT_IDLE - 1); }

UnitMap UnitMaps::collect() const {
  UnitMap unit;
  unit.number = units_->stored;
  unit.map.assign(units_->counters, 0);
  unit.nonFuzzing.assign(units_->counters, 0);
  const uint64_t place = unit.number % FATHOM_UNITS_KEPT;
  for (uint64_t i = 0; i < units_->slots; ++i) {
    const fathom_slot &s = slot(i);
    bool isIn[FATHOM_MAP_GROUPS] = {};
    for (unsigned stage = 0; stage < FATHOM_STAGES; ++stage) {
      unit.executions[stage] += s.executions[place][stage];
      isIn[!isFuzzing(stage)] |= s.executions[place][stage] != 0;
    }
    for (unsigned group = 0; group < FATHOM_MAP_GROUPS; ++group) {
      if (!isIn[group]) continue;
      const uint8_t *from = FATHOM_SLOT_MAP(&s, place, group, units_->mapBytes);
      std::vector<uint8_t> &to = group ? unit.nonFuzzing : unit.map;
      for (size_t c = 0; c < to.size(); ++c) to[c] |= from[c];
    }
  }
  return unit;
}

bool UnitMaps::harvest(UnitMap &unit) const {
  const uint64_t oldest = units_->stored;
  if (oldest >= this->unit() || !isQuiet(oldest)) return false;
  unit = collect();
  return true;
}

bool UnitMaps::harvestRest(UnitMap &unit) const {
  if (units_->stored > this->unit()) return false;
  unit = collect();
  return true;
}

UnitMap UnitMaps::soFar() const { return collect(); }

void UnitMaps::release(uint64_t number) {
  assert(number == units_->stored && "units are stored in their order");
  const uint64_t place = number % FATHOM_UNITS_KEPT;
  for (uint64_t i = 0; i < units_->slots; ++i) {
    fathom_slot &s = slot(i);
    bool isAny = false;
    for (unsigned long executions : s.executions[place]) isAny |= executions != 0;
    if (!isAny) continue;
    memset(FATHOM_SLOT_MAP(&s, place, 0, units_->mapBytes), 0,
           FATHOM_MAP_GROUPS * units_->mapBytes);
    memset(s.executions[place], 0, sizeof s.executions[place]);
  }
  store(units_->stored, number + 1);
}

uint64_t UnitMaps::startedExecutions() const { return load(units_->started); }
void UnitMaps::setMostExecutions(uint64_t most) { store(units_->mostExecutions, most); }
uint64_t UnitMaps::stored() const { return load(units_->stored); }
std::chrono::nanoseconds UnitMaps::elapsed() const {
  return std::chrono::nanoseconds(units_->unitNanoseconds);
}
void UnitMaps::setElapsed(std::chrono::nanoseconds time) {
  units_->unitNanoseconds = static_cast<uint64_t>(time.count());
}

} // namespace fathom::campaign
