// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the lines of the source begin in a basic block: what the engine and the native variant
// count as lines, so that both count the same. A line counts when it has an instruction in the
// bitcode as it was compiled, also one that preparation removes: the assignment to a variable that
// becomes a register.
#ifndef FATHOM_PROGRAM_SOURCELINES_H
#define FATHOM_PROGRAM_SOURCELINES_H

#include <cstdint>
#include <utility>
#include <vector>

namespace llvm {
class DIFile;
class DILocation;
class Function;
class Instruction;
} // namespace llvm

namespace fathom::program {

/// Goes through one block, instruction by instruction.
class LineStarts {
public:
  /// Its location, when a stretch of instructions of another line begins with this one; else null.
  const llvm::DILocation *at(const llvm::Instruction &instruction);

private:
  const llvm::DILocation *last_ = nullptr;
};

/// Remembers the lines of a function while instructions are removed from it, but neither blocks nor
/// their ends.
///
///   KeptLines lines(function);
///   promote(function);
///   lines.putBack();
///
/// Cost: O(instructions), and as much memory in between.
class KeptLines {
public:
  explicit KeptLines(llvm::Function &function);
  KeptLines(const KeptLines &) = delete;
  KeptLines &operator=(const KeptLines &) = delete;
  ~KeptLines();
  /// Lines that began with an instruction that is gone begin with the one after it from now on.
  void putBack();

private:
  struct Entry;
  std::vector<Entry> entries_; ///< of one block after the other
};

/// The lines that began with instructions that stood before this one: (file, line).
std::vector<std::pair<const llvm::DIFile *, uint32_t>>
removedLines(const llvm::Instruction &instruction);

} // namespace fathom::program
#endif
