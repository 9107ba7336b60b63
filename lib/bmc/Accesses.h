// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program does to memory at a point of its code, and when that shows the defect.
#ifndef FATHOM_BMC_ACCESSES_H
#define FATHOM_BMC_ACCESSES_H

#include "bmc/Memory.h"
#include "bmc/Pointers.h"
#include "bmc/Question.h"

#include <array>

namespace fathom::bmc {

/// The state at a point of the code, on all ways that are joined there.
struct Flow {
  ExprPtr guard = nullptr;    ///< width 1: control comes here
  std::vector<ExprPtr> slots; ///< null: never written
  Memory memory;
};

class Accesses {
public:
  Accesses(expr::ExprContext &context, const program::Program &program, const Question &question);

  Objects &objects() { return objects_; }
  const Objects &objects() const { return objects_; }
  std::vector<Target> targetsOf(ExprPtr address) { return pointers_.targetsOf(address); }
  bool mentionsObject(ExprPtr term) { return !pointers_.objectsIn(term).empty(); }
  /// The value goes where it is not followed: to code, to memory, into a number.
  void giveAway(Flow &flow, ExprPtr value);
  ExprPtr literalOf(Assumption assumption) const {
    return literals_[static_cast<unsigned>(assumption)];
  }
  /// The conditions under which the defect shows; one of them has to hold.
  const std::vector<ExprPtr> &goals() const { return goals_; }

  ExprPtr operand(Flow &flow, uint32_t slot, unsigned width);
  ExprPtr read(Flow &flow, const std::vector<Target> &targets, uint32_t bytes);
  void write(Flow &flow, const std::vector<Target> &targets, uint32_t bytes, ExprPtr value);
  /// Code ran that is not followed.
  void change(Flow &flow, const Changes &changes);
  /// It may have freed memory, unless that is assumed not to be.
  void mayHaveFreed(Flow &flow);
  /// The address of a new block, or null.
  ExprPtr allocate(Flow &flow, BasePtr contents);
  void release(Flow &flow, ExprPtr address, ExprPtr condition, bool isSink);
  /// The program reads or writes there.
  std::vector<Target> access(Flow &flow, ExprPtr address, bool isSink);

  /// An access at the place of the report shows the defect where it is one.
  void showAccess(const Flow &flow, ExprPtr address, const std::vector<Target> &targets);
  /// Where the condition holds, the defect shows.
  void show(const Flow &flow, ExprPtr condition);

private:
  /// What is at the address, which the program uses now.
  std::vector<Target> targetsUsed(Flow &flow, ExprPtr address);
  ExprPtr assuming(Assumption assumption, ExprPtr condition);
  /// An access where the condition holds shows the defect if the memory is freed.
  void showFreed(const Flow &flow, const std::vector<Target> &targets, ExprPtr condition);

  expr::ExprContext &context_;
  const Question &question_;
  Objects objects_;
  Pointers pointers_;
  std::array<ExprPtr, kAssumptions> literals_{};
  std::vector<ExprPtr> goals_;
};

} // namespace fathom::bmc
#endif
