// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a scan found out about a program, by the hash of its code, of what was asked, and of
// this executable: a second run of an unchanged program is answered by the first.
#ifndef FATHOM_RUN_KEPTANSWER_H
#define FATHOM_RUN_KEPTANSWER_H

#include "program/Load.h"
#include "run/scan/ScanOptions.h"

#include "llvm/Support/MemoryBuffer.h"

namespace fathom::run {

/// Told where an answer is a kept one.
inline constexpr const char *kAnswered =
    "unchanged: the answer is that of an earlier run (--no-cache: a new one)";

/// A larger answer is not kept: most of the others would go for it.
inline constexpr uint64_t kMaxBytesOfOne = 64u << 20;

/// The answer to one question about one program.
class KeptAnswer {
public:
  /// Without the cache, and where the program cannot be read (reading it says why), there is none
  /// and none is kept.
  ///
  /// \param question  everything that the answer depends on, but the program and its entry.
  KeptAnswer(const ScanOptions &options, const std::string &question);
  /// nullptr: there is none.
  std::unique_ptr<llvm::MemoryBuffer> find() const;
  /// Where nothing can be written, nothing is kept. Large answers are not kept, and of too many the
  /// oldest are removed.
  void keep(llvm::StringRef text) const;
  /// They name what was compiled, where those of the constructor named sources.
  const ScanOptions &options() const { return options_; }

private:
  ScanOptions options_;
  std::string file_; ///< "": there is none and none is kept
  program::BitcodeFile bitcode_;
};

} // namespace fathom::run
#endif
