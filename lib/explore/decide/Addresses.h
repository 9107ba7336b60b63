// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object a symbolic address means, and addresses that mean none.
#ifndef FATHOM_EXPLORE_DECIDE_ADDRESSES_H
#define FATHOM_EXPLORE_DECIDE_ADDRESSES_H

#include "explore/decide/EngineComponent.h"
#include "explore/Results.h"
#include "explore/state/State.h"

namespace fathom::explore {

class FeasibilityChecks;
class AssumedMemory;
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

class Addresses : private EngineComponent {
public:
  explicit Addresses(Engine &engine);

  Resolved resolve(State &s, ExprPtr address, uint64_t size, bool write);
  /// Decides the choices between pointers that the address is made from, one after the other. Null:
  /// the path forked, and the instruction has to be run again.
  ExprPtr withoutChoices(State &s, ExprPtr address);
  /// The address with objects in place of pointers that callers made (AssumedMemory.h). Null: the
  /// path has ended.
  ExprPtr settled(State &s, ExprPtr address);
  bool leaveOtherObjects(State &s, ExprPtr address, const ObjectState &origin, uint64_t size);
  /// The object that the address was computed from, live or freed; null when that is not known.
  /// \param isIndexed  whether an index was added to a pointer; otherwise it was computed as a
  /// number
  const ObjectState *originOf(State &s, ExprPtr address, bool *isIndexed = nullptr);
  /// Are these bytes of the object in bounds? (Not whether it is live.)
  ExprPtr isInside(const ObjectState &object, ExprPtr offset, uint64_t size);
  /// A block of `size` bytes (64 bits) of a live object, from this offset on. Sizes that go beyond
  /// it are reported. Does the path go on, with the others?
  bool staysInside(State &s, const ObjectState &object, uint64_t offset, ExprPtr size, bool write);
  /// The same for an offset that may be symbolic, and is within the object or at its end.
  bool staysInside(State &s, const ObjectState &object, ExprPtr offset, ExprPtr size, bool write);
  void reportFault(State &s, uint64_t address, uint64_t size, bool write,
                   const std::shared_ptr<const expr::Model> &model, ExprPtr condition = nullptr);

private:
  struct Access {
    ExprPtr offset, size;
    bool write;
  };
  bool staysInside(State &s, const ObjectState &object, ExprPtr inBounds, const Access &access);
  /// How many bytes the object has: on some input of this model, where that is a term.
  uint64_t bytesOf(const ObjectState &object, const expr::Model &model);
  std::string describe(const ObjectState &object, const expr::Model &model);
  const ObjectState *hitBy(State &s, uint64_t seen, uint64_t size);
  Resolved resolveConstant(State &s, uint64_t address, uint64_t size, bool write);
  Resolved resolveWithin(State &s, ExprPtr address, const ObjectState &origin, uint64_t size,
                         bool write);
  Resolved resolveAnywhere(State &s, ExprPtr address, uint64_t size, bool write);
  Resolved resolveUnwritten(State &s, ExprPtr address, uint64_t size, bool write);
  ExprPtr outsideFault(State &s, ExprPtr address, uint64_t seen, uint64_t size, bool write);
  std::string describeAddress(const State &s, uint64_t address, uint64_t size, bool write,
                              const expr::Model &model, evidence::BugKind &kind,
                              const ObjectState *&object);

  Places &places_;
  LogFollower &follower_;
  Witnesses &witnesses_;
  FeasibilityChecks &feasibility_;
  AssumedMemory &assumed_;
  Forks &forks_;
  CheckDecisions &checkDecisions_;
  BugReports &bugs_;
  PathEnds &ends_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
