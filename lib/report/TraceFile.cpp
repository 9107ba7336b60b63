// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TraceFile.h"

#include "report/Files.h"

#include "llvm/ADT/STLExtras.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../runtime/native/trace.h"

namespace fathom::report {

llvm::Expected<TraceFile> TraceFile::create(const std::string &path, uint32_t coverBytes) {
  TraceFile file;
  file.path_ = path;
  file.bytes_ = sizeof(fathom_trace) + coverBytes;
  int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return ioError("create", path, errno);
  void *map = MAP_FAILED;
  // Allocated, not only sized: a full disk must not become a SIGBUS in the program.
  int error = posix_fallocate(fd, 0, static_cast<off_t>(file.bytes_));
  if (!error) {
    map = mmap(nullptr, file.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) error = errno;
  }
  close(fd);
  if (error) return ioError("write", path, error);
  file.trace_ = static_cast<fathom_trace *>(map);
  file.trace_->magic = FATHOM_TRACE_MAGIC;
  file.trace_->coverBytes = coverBytes;
  return file;
}

TraceFile::TraceFile(TraceFile &&other) noexcept
    : path_(std::move(other.path_)), callsSocket_(std::move(other.callsSocket_)),
      trace_(std::exchange(other.trace_, nullptr)), bytes_(other.bytes_),
      memoryBytes_(other.memoryBytes_), mostHeapBytes_(other.mostHeapBytes_) {}

TraceFile::~TraceFile() {
  if (trace_) munmap(trace_, bytes_);
}

const size_t TraceFile::kMaxFailures = FATHOM_TRACE_FAILURES;

bool TraceFile::reset(uint64_t wanted, llvm::ArrayRef<uint32_t> failedAllocations) {
  if (failedAllocations.size() > kMaxFailures) return false;
  uint64_t cover = trace_->coverBytes;
  memset(trace_, 0, bytes_);
  trace_->magic = FATHOM_TRACE_MAGIC;
  trace_->coverBytes = cover;
  trace_->hash = explore::kTraceSeed;
  trace_->wanted = wanted;
  trace_->memory = memoryBytes_;
  trace_->mostHeap = mostHeapBytes_;
  callsSocket_.copy(trace_->calls, sizeof trace_->calls - 1);
  trace_->failures = failedAllocations.size();
  llvm::copy(failedAllocations, trace_->failing);
  return true;
}

std::optional<uint64_t> TraceFile::hashAtWanted() const {
  if (trace_->count < trace_->wanted) return {};
  return trace_->wanted ? trace_->hashAtWanted : explore::kTraceSeed;
}

TraceCheck TraceFile::check(const explore::BranchTrace &expected, bool prefix) const {
  TraceCheck result;
  result.started = trace_->started != 0;
  result.nativeCount = trace_->count;
  if (prefix)
    result.same = expected.count == 0 ||
                  (trace_->count >= expected.count && trace_->hashAtWanted == expected.hash);
  else
    result.same = trace_->count == expected.count && trace_->hash == expected.hash;
  if (result.same) return result;

  for (auto &[count, hash] : expected.checkpoints) {
    if (count == 0 || (count & (count - 1)) || count > trace_->count) break;
    if (trace_->checkpoints[__builtin_ctzll(count)] != hash) {
      result.before = count;
      break;
    }
    result.after = count;
  }
  if (expected.count && expected.count <= trace_->count && trace_->hashAtWanted == expected.hash)
    result.after = expected.count;
  // Past the last checkpoint: it must have happened by the end of the shorter one, or there one of
  // them stops.
  if (!result.before) result.before = std::min(trace_->count, expected.count) + 1;
  return result;
}

std::optional<size_t> TraceFile::lastLine() const {
  if (!trace_->line) return {};
  return trace_->line - 1;
}

llvm::ArrayRef<uint8_t> TraceFile::cover() const {
  return {trace_->cover, bytes_ - sizeof(fathom_trace)};
}

} // namespace fathom::report
