// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/StateTable.h"

#include "../../runtime/native/states.h"
#include "support/TextError.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::campaign {

llvm::Error createStateTable(const std::string &path, uint64_t points, uint64_t entries) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return pathError(path, strerror(errno));
  fathom_states head{};
  head.magic = FATHOM_STATES_MAGIC;
  head.bytes = sizeof head + entries * sizeof(fathom_state);
  head.entries = entries;
  head.points = points;
  // The rest is a hole: the disk has only what is written to.
  const bool isWritten = ftruncate(fd, static_cast<off_t>(head.bytes)) == 0 &&
                         pwrite(fd, &head, sizeof head, 0) == ssize_t(sizeof head);
  const int error = errno;
  close(fd);
  return isWritten ? llvm::Error::success() : pathError(path, strerror(error));
}

namespace {

/// A file mapped to be read.
class Mapping {
public:
  explicit Mapping(int fd) {
    struct stat status{};
    if (fd < 0 || fstat(fd, &status) < 0 || status.st_size <= 0) return;
    bytes = static_cast<size_t>(status.st_size);
    void *at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (at != MAP_FAILED) memory = at;
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() {
    if (memory) munmap(memory, bytes);
  }
  void *memory = nullptr;
  size_t bytes = 0;
};

} // namespace

llvm::Expected<StateSamples> readStateTable(const std::string &path, uint64_t points) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return pathError(path, strerror(errno));
  const Mapping mapping(fd);
  close(fd);
  const auto *table = static_cast<const fathom_states *>(mapping.memory);
  if (!table || mapping.bytes < sizeof *table || table->magic != FATHOM_STATES_MAGIC ||
      table->bytes != mapping.bytes ||
      table->entries > (mapping.bytes - sizeof *table) / sizeof(fathom_state))
    return pathError(path, "not the states of a campaign, or of another version");
  if (table->points != points) return pathError(path, "belongs to another program");
  StateSamples out;
  out.dropped = table->dropped;
  for (uint64_t i = 0; i < table->entries; ++i) {
    const fathom_state &s = table->states[i];
    if (__atomic_load_n(&s.key, __ATOMIC_ACQUIRE) <= FATHOM_STATE_BUSY) continue;
    if (s.point >= points || s.count > FATHOM_STATE_VALUES) return pathError(path, "damaged");
    out.states.push_back({s.point, {s.values, s.values + s.count}, s.times});
  }
  // Two processes that met a new state at the same time have made two entries.
  std::sort(out.states.begin(), out.states.end());
  size_t kept = 0;
  for (SampledState &s : out.states) {
    if (kept && out.states[kept - 1].point == s.point && out.states[kept - 1].values == s.values)
      out.states[kept - 1].count += s.count;
    else
      std::swap(out.states[kept++], s);
  }
  out.states.resize(kept);
  return out;
}

} // namespace fathom::campaign
