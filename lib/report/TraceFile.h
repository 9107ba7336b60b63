// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader's side of runtime/native/trace.h: a file that a native trace variant writes its
// branches and coverage into.
#ifndef FATHOM_REPORT_TRACEFILE_H
#define FATHOM_REPORT_TRACEFILE_H

#include "explore/Results.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

struct fathom_trace; // NOLINT(readability-identifier-naming): of C

namespace fathom::report {

/// Where a native run left the path that the engine has seen.
struct TraceCheck {
  bool started = false; ///< false: the program did not report at all
  bool same = false;
  uint64_t nativeCount = 0;
  /// !same: the first `after` branches agree, and before number `before` (0: unknown) they no
  /// longer do.
  uint64_t after = 0, before = 0;
};

/// Used for one run after the other; the file stays.
class TraceFile {
public:
  static llvm::Expected<TraceFile> create(const std::string &path, uint32_t coverBytes);
  TraceFile(TraceFile &&other) noexcept;
  TraceFile &operator=(TraceFile &&other) = delete;
  ~TraceFile();

  const std::string &path() const { return path_; }
  /// What the heap of a run may have, in pages and in blocks as they were asked for; 0: no limit.
  void setMemory(uint64_t bytes, uint64_t mostHeapBytes) {
    memoryBytes_ = bytes;
    mostHeapBytes_ = mostHeapBytes;
  }
  /// Where runs have functions executed that they have no code of: a CallServer's socket.
  void setCallsSocket(const std::string &socket) { callsSocket_ = socket; }
  /// Before a run that is to be held against `expected`, and in which the allocations with these
  /// numbers fail. False: they are more than kMaxFailures.
  bool reset(const explore::BranchTrace &expected, llvm::ArrayRef<uint32_t> failedAllocations) {
    return reset(expected.count, failedAllocations);
  }
  /// Before a run of which the hash after `wanted` branches is asked.
  bool reset(uint64_t wanted, llvm::ArrayRef<uint32_t> failedAllocations);
  static const size_t kMaxFailures;
  /// None: it took fewer.
  std::optional<uint64_t> hashAtWanted() const;
  /// \param prefix  the engine's path ended before the program's end (a bug, a budget): only that
  /// far is compared.
  TraceCheck check(const explore::BranchTrace &expected, bool prefix) const;
  llvm::ArrayRef<uint8_t> cover() const;
  /// Which line of the layout ran last; none: no line of the program's own code did.
  std::optional<size_t> lastLine() const;

private:
  TraceFile() = default;
  std::string path_, callsSocket_;
  fathom_trace *trace_ = nullptr;
  size_t bytes_ = 0;
  uint64_t memoryBytes_ = 0, mostHeapBytes_ = 0;
};

} // namespace fathom::report
#endif
