// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// events.jsonl: who found what, when, and what it had cost until then. One JSON object a line;
// docs/run.md has its fields.
#ifndef FATHOM_RUN_ALL_RUNEVENTS_H
#define FATHOM_RUN_ALL_RUNEVENTS_H

#include "run/all/Parts.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace fathom::run {

/// A moment of a run.
struct Moment {
  double seconds = 0;          ///< of wall time, since it began
  double processorSeconds = 0; ///< of all parts
};

class RunEvents {
public:
  /// Appends to the file. Errors: it cannot be written.
  static llvm::Expected<RunEvents> open(const std::string &path);
  /// The part covered so many sides first; `all`: that are covered now.
  void sides(const Moment &at, Part by, uint64_t sides, uint64_t all);
  /// The part has found its bug of this number (from 1), or has so many reports or verdicts.
  void bug(const Moment &at, Part by, uint64_t number);
  void reports(const Moment &at, Part by, uint64_t reports);
  void ended(const Moment &at, Part by, const std::string &how);
  /// False: something could not be written.
  bool isComplete() const { return !failed_; }

private:
  explicit RunEvents(FILE *file) : file_(file, std::fclose) {}
  void write(const Moment &at, Part by, const char *event, const char *key, uint64_t value,
             uint64_t all, const std::string &how);
  std::unique_ptr<FILE, int (*)(FILE *)> file_;
  bool failed_ = false;
};

} // namespace fathom::run
#endif
