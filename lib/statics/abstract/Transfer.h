// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one statement does to an abstract state; calls are left to the analysis.
#ifndef FATHOM_STATICS_ABSTRACT_TRANSFER_H
#define FATHOM_STATICS_ABSTRACT_TRANSFER_H

#include "statics/abstract/Analysis.h"

namespace fathom::statics::abstract {

class Transfer {
public:
  /// How an access may fail.
  struct HowItFails {
    /// For a copy, the verdict on one of its ends; the verdict on the whole can be worse.
    Verdict verdict = Verdict::Unreachable;
    bool hasObjects = false;  ///< its address is known to be that of some objects
    bool byNullAlone = false; ///< where the address is not null, it does not fail
    bool atSource = false;    ///< of a copy: it fails where it reads
  };
  /// Told of every check that control reaches: what it is worth, the state in which it may fail.
  using Report = std::function<void(CheckId, Verdict, const State &, const HowItFails &)>;

  Transfer(const AbstractProgram &program, const Memory &memory)
      : program_(program), memory_(memory) {}

  /// Any statement but a call. `report` may be empty.
  void run(State &state, const Statement &s, const Report &report) const;
  /// \param from  where the edge begins: what the condition says of a value says something of what
  ///              the value was computed from there.
  void takeEdge(State &state, const Block &from, const Edge &edge) const;
  /// All at once: every value is what it was before the first assignment.
  static void assignTogether(State &state, const std::vector<EdgeAssignment> &assignments);

private:
  void refineRemainders(State &state, const Block &from) const;
  void operate(State &state, const Statement &s) const;
  void addOrSubtract(State &state, const Statement &s) const;
  void relateResult(State &state, const Statement &s) const;
  void convert(State &state, const Statement &s) const;
  void select(State &state, const Statement &s) const;
  void shiftAddress(State &state, const Statement &s) const;
  void toInteger(State &state, const Statement &s) const;
  void toAddress(State &state, const Statement &s) const;
  void access(State &state, const Statement &s, const Operand &address, const Operand &size,
              const Report &report) const;
  void copy(State &state, const Statement &s, const Report &report) const;
  HowItFails howItFails(const State &state, const Operand &address, const Operand &size) const;
  void runAccess(State &state, const Statement &s, const Report &report) const;
  void verify(const State &state, const Statement &s, const Report &report) const;

  const AbstractProgram &program_;
  const Memory &memory_;
};

} // namespace fathom::statics::abstract
#endif
