// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of which nothing is known (--entry-memory lazy): what the callers of a function made
// before a path began at it.
//
// Its bytes are symbols. A pointer among them gets an object when the path first uses it as an
// address: a new one, whose bytes are unknown again, or (lazy-aliased) one that another such
// pointer has. So lists and trees unfold as far as a path walks them. A pointer that is used is
// taken for valid; before that it can be null, and a comparison with null forks as any other.
//
// The size of such an object is unknown. It has kBytes at first, and grows when a path goes beyond
// them. A path that goes beyond kMaxObjectBytes, before its beginning, or with an index beyond what
// it has, ends without a bug (ledger: bound-size).
//
// Source: [satracer] Fig. 7, rules LoadVal and LoadPtr, which never alias; lazy initialisation is
// that of S. Khurshid, C. Pasareanu, W. Visser, "Generalized Symbolic Execution for Model Checking
// and Testing" (TACAS 2003).
#ifndef FATHOM_EXPLORE_DECIDE_ASSUMEDMEMORY_H
#define FATHOM_EXPLORE_DECIDE_ASSUMEDMEMORY_H

#include "explore/decide/EngineComponent.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/state/State.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace fathom::explore {

/// The object that an array of unknown bytes belongs to, by its name. An object has several arrays,
/// one for each time that it grew.
struct UnknownPart {
  std::string_view object;
  uint64_t first = 0; ///< where the array's bytes begin in it
};
UnknownPart unknownPart(std::string_view array);

struct Engine;
class PathEnds;
class Places;
class Symbols;

class AssumedMemory : private EngineComponent {
public:
  explicit AssumedMemory(Engine &engine);

  bool isOn() const { return options_.entryMemory != EntryMemory::Objects; }
  /// Creates an array of unknown bytes, which the path has from now on.
  ExprPtr unknownBytes(State &s, const std::string &name, uint64_t size);
  /// Gives unknown contents, within Global::ranges, to the program's own variables that can change.
  /// Linear in their bytes.
  ///
  /// \param entry  which gets unknown parameters: of two of one name, the parameter keeps it.
  void forgetGlobals(State &s, const program::FunctionCode &entry);
  /// An object that is too large to be made unknown keeps its contents: if a path reads them from
  /// now on, this text goes to the ledger, once.
  void keep(const ObjectState &object, std::string note);
  /// Adds those of these objects that paths have read to the ledger. And whether a path met
  /// pointers of the callers and wrote or freed what they may lead to: what callers made, or a
  /// variable that something points to. Blocks of the path itself are in its callers' memory only
  /// if the path wrote their addresses there.
  void noteAccesses();
  /// By byte of a variable: is it the same in all states of the program?
  static std::vector<bool> fixedBytes(const program::Global &variable);
  /// Assumes that the numbers in these bytes of the variable are in its ranges.
  void assumeRanges(State &s, const program::Global &variable, ExprPtr bytes);
  /// The unknown pointer that the address is computed from: eight bytes in a row of unknown memory.
  /// Null: none. O(height of sums).
  ExprPtr pointerIn(ExprPtr address) const;
  /// The address, with addresses of objects in place of its unknown pointers. If a pointer can lead
  /// to several objects, copies of the state run the instruction again. Null: the path has ended.
  ExprPtr settle(State &s, ExprPtr address);
  /// Lets an object that callers made grow to at least so many bytes; the new ones are unknown,
  /// too. False: that is more than kMaxObjectBytes.
  bool grow(State &s, const ObjectState &object, uint64_t bytes);
  /// Ends a path that leaves the known part of memory.
  void endBeyond(State &s, const ObjectState &object);
  /// The path goes on only where isBeyond is false; the ledger notes the rest.
  void noteBeyond(State &s, const ObjectState &object, ExprPtr isBeyond);

private:
  static constexpr uint64_t kBytes = 512, kMaxObjectBytes = 16384;
  /// Making a variable unknown takes time at each start: large ones share the last bound.
  static constexpr uint64_t kSmallGlobal = 4096, kMaxGlobalBytes = 16384, kMaxLargeBytes = 65536;
  static constexpr unsigned kMaxAliases = 4; ///< the newest ones
  void watchWrites(const ObjectState &object);
  void noteOutside();
  /// Gives the pointer its objects to choose from. No: it leads to none of them on this path.
  Feasible makeObject(State &s, ExprPtr pointer);
  static const State::UnknownPointer *find(const State &s, ExprPtr pointer);

  struct Kept {
    std::string note;
    bool isRead = false, isNoted = false;
  };

  std::unordered_set<ExprPtr> unknown_; ///< the arrays, of all paths
  bool isWritten_ = false;              ///< ObjectInfo::isWritten of what pointers may lead to
  bool hasPointers_ = false;            ///< a path has used one of the callers
  bool notedOutside_ = false;           ///< once is enough
  std::deque<Kept> kept_;               ///< states refer to them
  bool notedBeyond_ = false;            ///< once is enough

  Places &places_;
  Symbols &symbols_;
  FeasibilityChecks &feasibility_;
  PathEnds &ends_;
};

} // namespace fathom::explore
#endif
