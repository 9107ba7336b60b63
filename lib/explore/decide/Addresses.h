// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object a symbolic address means, and addresses that mean none.
#ifndef FATHOM_EXPLORE_DECIDE_ADDRESSES_H
#define FATHOM_EXPLORE_DECIDE_ADDRESSES_H

#include "explore/decide/Part.h"
#include "explore/Results.h"
#include "explore/state/State.h"

namespace fathom::explore {

class Asking;
class BugReports;
class CheckDecisions;
class Decisions;
struct Engine;
class Forks;
class LogFollower;
class PathEnds;
class Places;
class Witnesses;

struct Resolved {
  const ObjectState *object =
      nullptr; ///< null: the path ended, or the instruction has to be run again
  ExprPtr offset = nullptr;
  bool again = false;
};

class Addresses : private Part {
public:
  explicit Addresses(Engine &engine);

  Resolved resolve(State &s, ExprPtr address, uint64_t size, bool write);
  /// Decides the choices between pointers that the address is made from, one after the other. Null:
  /// the path forked, and the instruction has to be run again.
  ExprPtr withoutChoices(State &s, ExprPtr address);
  /// The object that the address was computed from, live or freed; null when that is not known.
  const ObjectState *originOf(State &s, ExprPtr address);
  void reportFault(State &s, uint64_t address, uint64_t size, bool write,
                   const std::shared_ptr<const expr::Model> &model, ExprPtr condition = nullptr);

private:
  Resolved resolveConstant(State &s, uint64_t address, uint64_t size, bool write);
  Resolved resolveWithin(State &s, ExprPtr address, const ObjectState &origin, uint64_t size,
                         bool write);
  Resolved resolveAnywhere(State &s, ExprPtr address, uint64_t size, bool write);
  Resolved resolveUnwritten(State &s, ExprPtr address, uint64_t size, bool write);
  ExprPtr outsideFault(State &s, ExprPtr address, uint64_t seen, uint64_t size, bool write);
  std::string describeAddress(const State &s, uint64_t address, uint64_t size, bool write,
                              BugKind &kind, const ObjectState *&object);

  Places &places_;
  LogFollower &follower_;
  Witnesses &witnesses_;
  Asking &asking_;
  Forks &forks_;
  CheckDecisions &checkDecisions_;
  BugReports &bugs_;
  PathEnds &ends_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
