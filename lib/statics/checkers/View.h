// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all checkers look things up in: users of values, callers of functions, what calls release,
// and ways through functions.
#ifndef FATHOM_STATICS_CHECKERS_VIEW_H
#define FATHOM_STATICS_CHECKERS_VIEW_H

#include "statics/checkers/FreeWrappers.h"
#include "statics/checkers/Report.h"
#include "statics/checkers/Ways.h"

#include <memory>

namespace fathom::statics {

/// What a statement does with one of its operands, seen as a pointer.
enum class UseKind : uint8_t {
  None,
  Read,    ///< of the memory it points to
  Written, ///< of the memory it points to
  Freed,
  Closed, ///< a file, by a library function
  Passed, ///< to a library function whose code is not looked at
};

class View {
public:
  explicit View(const ValueFlow &flow);

  const ValueFlow &flow;
  const Facts &facts;
  const PointsTo &pts;

  /// Statements of the program's own code with the value as an operand.
  std::span<const StatementId> users(ValueId value) const;
  /// Calls (indices into Facts::calls) of the program's own code that may call the function.
  const std::vector<uint32_t> &callers(FunctionId function) const { return callers_[function]; }
  bool isOwn(FunctionId function) const { return facts.functions[function].isOwn; }
  /// Does the function that the statement calls by its name never return?
  bool ends(StatementId call) const;
  /// May the call run code of the program's own?
  bool callsOwn(uint32_t call) const;
  const Summary *summaryOf(const CallSite &site) const;
  /// The row of the library function that the call reaches, or of the first of several; nullptr: of
  /// none there is a row.
  const LibraryFunction *knownOf(const CallSite &site) const;
  /// The same, but nullptr where the call may reach several functions.
  const LibraryFunction *onlyKnownOf(const CallSite &site) const;
  /// "free", "the function behind a pointer".
  std::string calleeName(const CallSite &site) const;
  /// The wrapper of free that the call frees this operand by; kNone: any. nullptr: none.
  const FreeWrapper *freeWrapperOf(const CallSite &site, uint32_t operand = kNone) const;
  UseKind useOf(StatementId statement, uint32_t operand) const;
  /// The same, but what a wrapper of free frees is freed by its call, and not inside.
  UseKind useOutsideOfWrappers(StatementId statement, uint32_t operand) const;
  /// Is null not allowed there?
  bool dereferences(StatementId statement, uint32_t operand) const;
  /// Is what it points to used there, unless it is null?
  bool isUsedUnlessNull(StatementId statement, uint32_t operand) const;
  /// May a library function return null: an allocation that fails, a lookup that finds nothing?
  bool mayReturnNull(const CallSite &site) const;
  /// The object whose address the value is by itself; kNone: it is no such address.
  ObjectId objectOf(ValueId value) const;
  /// Is it the address of a global or local variable?
  bool isVariable(ValueId value) const;
  Ways &ways(FunctionId function);
  /// Do the numbers that the call passes let its callee come to the statement, by the branches
  /// before that?
  bool mayComeTo(uint32_t call, StatementId inside);
  FunctionId functionOf(StatementId statement) const {
    return facts.functionOf(facts.statements[statement]);
  }

  /// \param place  of the step; 0: the statement's.
  ReportStep step(StatementId statement, StepRole role, std::string text, PlaceId place = 0) const;

private:
  std::vector<uint32_t> firstUser_;
  std::vector<StatementId> users_;
  std::vector<std::vector<uint32_t>> callers_;
  std::vector<bool> returns_;
  const std::vector<FreeWrapper> freeWrappers_; ///< by function
  std::unordered_map<FunctionId, std::unique_ptr<Ways>> ways_;
};

} // namespace fathom::statics
#endif
