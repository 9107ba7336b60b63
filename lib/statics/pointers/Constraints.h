// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inclusion constraints: what a solver of points-to analysis is asked. They come in groups, one for
// each instance of a function, and a group counts from when the function can be called.
//
// A constraint that is *sole* is the only one that puts anything into its node, now and later: then
// it is an equation, and solvers need not keep apart what equations make equal.
#ifndef FATHOM_STATICS_POINTERS_CONSTRAINTS_H
#define FATHOM_STATICS_POINTERS_CONSTRAINTS_H

#include "statics/pointers/Locations.h"

#include <vector>

namespace fathom::statics {

/// Something with a set of locations: a value in an instance of its function, or what the program
/// keeps in a location.
using NodeId = uint32_t;
using GroupId = uint32_t;

struct Constraints {
  struct Address {
    NodeId node;
    LocationId location;
    bool isSole = false;
  };
  struct Copy {
    NodeId to, from;
    bool isSole = false;
  };
  struct Load { ///< to ⊇ *from
    NodeId to, from;
    bool isSole = false;
  };
  struct Store { ///< *to ⊇ from
    NodeId to, from;
  };
  struct Gep { ///< to ⊇ from moved by `by` (ConstraintSource::move)
    NodeId to, from;
    uint32_t by; ///< equal moves have equal numbers, for they are told apart by these only
    bool isSole = false;
  };
  struct Call { ///< *target is called
    NodeId target;
    uint32_t site = kNone; ///< index into Facts::calls; kNone: a call without a statement
    std::vector<NodeId> arguments{};
    NodeId result = kNone;
  };
  std::vector<Address> addresses;
  std::vector<Copy> copies;
  std::vector<Load> loads;
  std::vector<Store> stores;
  std::vector<Gep> geps;
  std::vector<Call> calls;
  std::vector<GroupId> activates; ///< groups that count from then on, too
};

/// Makes the groups, on demand. Each group may add nodes and locations.
class ConstraintSource {
public:
  static constexpr uint32_t kAnywhere = ~uint32_t(0); ///< instead of a move

  virtual ~ConstraintSource() = default;
  virtual std::vector<GroupId> entries() = 0;
  virtual Constraints make(GroupId group) = 0;
  /// What a call through a pointer to `location` adds. Asked once for each pair.
  virtual Constraints bind(const Constraints::Call &call, LocationId location) = 0;
  virtual const Locations &locations() const = 0;
  virtual const Move &move(uint32_t index) const = 0;
  virtual uint32_t numNodes() const = 0;
  /// One in no constraint, for the solver's own use.
  virtual NodeId newNode() = 0;
  /// What the location holds.
  virtual NodeId contents(LocationId location) const = 0;
  /// What a read from anywhere in the object yields.
  virtual NodeId readAnywhere(ObjectId object) const = 0;

  /// False: nothing that is a pointer can ever be read from the location, or written to it.
  virtual bool isReadable(LocationId) const { return true; }
  virtual bool isWritable(LocationId) const { return true; }

  LocationId moved(LocationId location, uint32_t by) const {
    return by == kAnywhere ? locations().anywhere(locations().objectOf(location))
                           : locations().moved(location, move(by));
  }
};

} // namespace fathom::statics
#endif
