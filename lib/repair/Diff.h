// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unified diffs: made of an edit, and read as far as an order of patches needs it.
#ifndef FATHOM_REPAIR_DIFF_H
#define FATHOM_REPAIR_DIFF_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::repair {

/// What `patch -p1` applies, with three lines of context: the lines from the first to the last that
/// differ, as one hunk. "": the texts are the same.
/// \param path  relative to where patch runs.
std::string unifiedDiff(const std::string &path, std::string_view before, std::string_view after);

/// One hunk.
struct DiffHunk {
  std::string oldFile, newFile; ///< as written, without what stands after a tab
  /// Lines of the old file, ascending, each once: those that are removed, and those before which
  /// lines are added.
  std::vector<uint32_t> lines;
  std::vector<std::string> removed, added;
};

/// All hunks, in order; what is no hunk is passed over, as patch does. Nothing: `text` has none.
std::vector<DiffHunk> readDiff(std::string_view text);

/// The old and new names of the files that git's headers rename or copy, as written: such a file
/// need not have a hunk.
std::vector<std::string> renamedFiles(std::string_view text);

/// Without its first `strip` folders, as -p says: "a/lib/x.c", 1 -> "lib/x.c".
std::string stripped(std::string_view path, unsigned strip);

/// The identifiers of the removed and the added lines, ascending, each once: what V_delta is taken
/// from ([psp23] Sec. IV-C).
std::vector<std::string> changedNames(const std::vector<DiffHunk> &hunks);

} // namespace fathom::repair
#endif
