// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes programs of the abstract interpreter concretely, for one list of inputs. Shares no code
// with it.
#ifndef FATHOM_UNITTESTS_STATICS_CONCRETE_H
#define FATHOM_UNITTESTS_STATICS_CONCRETE_H

#include "statics/abstract/Program.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fathom::statics::abstract {

struct Concrete {
  uint64_t number = 0;            ///< of an address: the offset
  std::optional<ObjectId> object; ///< of an address that is not null
  bool isAddress = false;
};

class ConcreteRun {
public:
  using Memory = std::map<std::pair<ObjectId, uint64_t>, Concrete>; ///< by byte; addresses whole
  using Frame = std::map<VarId, Concrete>;

  /// Called at the start of every block, and with every check: did it hold?
  std::function<void(FunctionId, BlockId, const Frame &, const Memory &)> atBlock;
  std::function<void(CheckId, bool)> atCheck;

  ConcreteRun(const AbstractProgram &program, std::vector<uint64_t> inputs)
      : program_(program), inputs_(std::move(inputs)) {}
  /// Ends quietly at violations, uninitialised reads, and after some hundred blocks.
  void run() {
    Frame frame;
    execute(program_.entries.front(), frame);
  }

private:
  struct Stop {};
  bool execute(FunctionId id, Frame &frame);
  bool statement(const Statement &s, Frame &frame);
  bool access(const Statement &s, Frame &frame);
  bool call(const Statement &s, Frame &frame);
  Concrete value(const Operand &operand, const Frame &frame);
  bool holds(const Condition &condition, const Frame &frame);
  static uint64_t mask(unsigned width) { return width == 64 ? ~0ull : (1ull << width) - 1; }
  static int64_t sign(unsigned width, uint64_t v) {
    return int64_t(v << (64 - width)) >> (64 - width);
  }

  const AbstractProgram &program_;
  std::vector<uint64_t> inputs_;
  Memory memory_;
  std::optional<Concrete> returned_;
  bool isBroken_ = false; ///< read a variable that has no value
  int steps_ = 0, depth_ = 0;
};

} // namespace fathom::statics::abstract
#endif
