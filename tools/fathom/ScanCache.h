// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `fathom scan` found out about a program, by the hash of its code, of what was asked, and of
// this executable: a second run of an unchanged program is answered by the first.
#ifndef FATHOM_TOOLS_SCANCACHE_H
#define FATHOM_TOOLS_SCANCACHE_H

#include "ScanFlags.h"

#include "program/Load.h"

#include "llvm/Support/MemoryBuffer.h"

namespace fathom::tool {

/// Told with -v.
inline constexpr const char *kAnswered =
    "unchanged: the answer is that of an earlier run (--no-cache: a new one)";

/// A larger answer is not kept: most of the others would go for it.
inline constexpr uint64_t kMaxBytesOfOne = 64u << 20;

/// The answer to one question about one program.
class KeptAnswer {
public:
  /// With --no-cache, and where the program cannot be read (reading it says why), there is none and
  /// none is kept.
  ///
  /// \param question  everything that the answer depends on, but the program and its entry.
  KeptAnswer(const ScanFlags &flags, const std::string &question);
  /// nullptr: there is none.
  std::unique_ptr<llvm::MemoryBuffer> find() const;
  /// Whoever cannot write there does without. Large answers are not kept, and of too many the
  /// oldest are removed.
  void keep(llvm::StringRef text) const;
  /// They name what was compiled, where those of the constructor named sources.
  const ScanFlags &flags() const { return flags_; }

private:
  ScanFlags flags_;
  std::string file_; ///< "": there is none and none is kept
  program::BitcodeFile bitcode_;
};

/// Takes what goes to stdout until its end, and passes it on then.
class OutputCapture {
public:
  OutputCapture(); ///< throws InternalError where there is no room for a temporary file
  ~OutputCapture();
  OutputCapture(const OutputCapture &) = delete;
  /// What was printed so far; from here on stdout is what it was.
  std::string finish();

private:
  int stdout_ = -1, file_ = -1;
};

/// Runs `scan` and returns its exit status, or prints for it what it printed in an earlier run. Its
/// flags name what was compiled where `flags` names sources. Only complete results are kept: it
/// sets isPartial for others. Throws what `scan` throws.
using Scan = std::function<int(const ScanFlags &flags, bool &isPartial)>;
int scanCached(const ScanFlags &flags, Context &context, const Scan &scan);

} // namespace fathom::tool
#endif
