// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code as the interpreter runs it: jump targets are relative, blocks are weighted with their
// length, and points call policies.
#ifndef FATHOM_EXPLORE_INTERPRETER_EXECUTABLECODE_H
#define FATHOM_EXPLORE_INTERPRETER_EXECUTABLECODE_H

#include "explore/interpreter/PointTable.h"
#include "explore/Options.h"
#include "explore/state/State.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

using program::Inst;
using program::Op;

class ExecutableCode {
public:
  /// With --entry, `main` is replaced by a call of this external number: the executor calls the
  /// chosen function.
  static constexpr uint32_t kEntryCall = ~0u - 1;
  static bool replacesMain(const ExploreOptions &options) {
    return !options.entry.empty() && options.entry != "main";
  }

  ExecutableCode(const program::Program &program, const ExploreOptions &options);
  /// Shares another interpreter's code, of the same program and entry, without its points. Only
  /// functions that get points here are copied.
  static ExecutableCode sharing(const ExecutableCode &other) {
    return ExecutableCode(other.functions_);
  }

  const Inst *codeOf(uint32_t function) const { return code_[function]; }
  size_t sizeOf(uint32_t function) const { return (*functions_)[function].size(); }
  /// Before anything runs. See PointTable::add.
  void addPoint(uint32_t function, uint32_t inst, uint32_t asker);
  PointTable points;
  /// What the instruction does, also where it is a point.
  Op opAt(const Inst *inst) const {
    return inst->op == Op::Point ? points.originalOf(inst) : inst->op;
  }
  uint32_t indexOf(const State &state) const {
    return static_cast<uint32_t>(state.ip - codeOf(state.top->function));
  }

private:
  using Functions = std::vector<std::vector<Inst>>; ///< indices as in program::Program::functions
  std::shared_ptr<const Functions> functions_;      ///< without points
  std::vector<const Inst *> code_;                  ///< what runs
  std::unordered_map<uint32_t, std::vector<Inst>> ownCode_; ///< functions with points

  explicit ExecutableCode(std::shared_ptr<const Functions> functions);
};

} // namespace fathom::explore
#endif
