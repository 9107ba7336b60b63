// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a path come to the sink from the report's source, or from another one? A function that
// returns what malloc gave, and null for a bad argument too, shows the same bug at the same sink
// for two reasons, and a report means one of them.
//
//   kind of bug                 the source         a path is from it when
//   use after free, double free where it is freed  the object was freed there (Bug::related)
//   null dereference            a call             the call returned null, or may have
//   null dereference            anything else      the path passes it
//
// Paths tell the last two by symbols, which a policy gives them (as Forget.h does).
//
// Guarantee: for null pointers neither: a path on which the call returned null can dereference
//            another null pointer in the end.
#ifndef FATHOM_CONFIRM_SOURCEUSE_H
#define FATHOM_CONFIRM_SOURCEUSE_H

#include "confirm/CallGraph.h"
#include "confirm/Defect.h"
#include "explore/policy/Policy.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::confirm {

class SourceUse {
public:
  /// They outlive it. O(code).
  SourceUse(const program::Program &program, const CallGraph &calls, const Defect &defect);

  /// False: the report does not say which step is its source, or it cannot be told which paths are
  /// from it; then all are.
  bool isTold() const { return means_ != Means::Nothing; }
  /// Gives paths what isFrom and wasAt look at. Only where isTold().
  std::unique_ptr<explore::Policy> policy() const;
  bool isFrom(const explore::Bug &bug) const;
  /// Was the path at the source? Of a call: did it return null, or may it have? Only where
  /// isTold(). Cost: that of its symbols.
  bool wasAt(const explore::Engine &engine, const explore::State &s) const;
  const Place &place() const { return defect_.steps[0]; }
  /// Of a bug that is not from it: what is otherwise, as one clause.
  std::string otherText(const explore::Bug &bug) const;

private:
  enum class Means : uint8_t { Nothing, Freed, ReturnsNull, Passes };
  void findNull(const CallGraph &calls);
  void findPassed(const CallGraph &calls);

  const program::Program &program_;
  const Defect &defect_;
  Means means_ = Means::Nothing;
  std::vector<CallGraph::CallAt> sites_; ///< ReturnsNull: calls; otherwise where the line begins
};

} // namespace fathom::confirm
#endif
