// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects that a question speaks of, and what they hold before anything is stored to them.
//
// Objects of the program (variables, local variables, blocks of the heap) have numbers for
// addresses, so that comparisons of pointers fold. What a pointer of unknown origin leads to is an
// object as well, one for each term that such a pointer is: equal terms lead to one object. That
// different terms lead to different objects is an assumption (Assumption::DistinctPointers).
#ifndef FATHOM_BMC_OBJECTS_H
#define FATHOM_BMC_OBJECTS_H

#include "bmc/Knowledge.h"
#include "expr/ExprContext.h"
#include "program/Code.h"

#include <llvm/ADT/DenseMap.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fathom::bmc {

using expr::ExprPtr;

using ObjectId = uint32_t;
inline constexpr ObjectId kNoObject = ~0u;

/// By object: is it one of them? Beyond the end: no. Null: empty. Shared by states.
using ObjectSet = std::shared_ptr<const std::vector<bool>>;
inline bool isIn(const ObjectSet &set, ObjectId object) {
  return set && object < set->size() && (*set)[object];
}

enum class ObjectKind : uint8_t { Variable, Local, Heap, Unknown };

struct Object {
  ObjectKind kind{};
  uint64_t base = 0;        ///< address; Unknown: 0
  uint64_t size = 0;        ///< Unknown: 0
  ExprPtr root = nullptr;   ///< Unknown: the address
  uint32_t owner = 0;       ///< Local: the function; Variable: index into Program::globals
  bool isOfCallers = false; ///< Unknown: the address is an argument, or in memory of callers
  bool isUnclear = false;   ///< Unknown: the address may be another term than the root
  /// Unknown, with a word for its root, after its first access: the objects whose address was given
  /// away then. The word is older than that access: unless it is only an index (isUnclear), it is
  /// no other object's address.
  std::optional<ObjectSet> knownAddresses = std::nullopt;
};

/// What an object holds where nothing was stored since: immutable, shared by states.
struct Base {
  enum class Kind : uint8_t { Unknown, Zero, Bytes, Choice } kind = Kind::Unknown;
  uint32_t id = 0; ///< Unknown: equal numbers are equal contents
  /// Unknown: they are of the entry's start.
  bool isOfCallers = false;
  const std::vector<uint8_t> *bytes = nullptr; ///< Bytes; beyond its end: zero
  uint32_t variable = program::kNoIndex;       ///< Unknown: of this variable, whose ranges hold
  ExprPtr condition = nullptr;                 ///< Choice: `yes` where it holds, otherwise `no`
  std::shared_ptr<const Base> yes, no;
  uint32_t depth = 0; ///< Choice: of choices
};
using BasePtr = std::shared_ptr<const Base>;

/// What code that was not followed may have changed since the entry's start: a list, newest first,
/// shared by states. An object that no state has contents of yet gets its changes when it is
/// accessed first.
struct Epoch {
  std::shared_ptr<const Epoch> before; ///< null: the start
  Changes changes;
  uint32_t id = 0, depth = 0; ///< Objects::addEpoch
};
using EpochPtr = std::shared_ptr<const Epoch>;

/// Is it a word that was read as one, not what was computed from narrower numbers?
bool isWord(ExprPtr e);

class Objects {
public:
  /// \param knowsVariables  variables of the program's own hold what it begins with, not
  /// unknown values
  Objects(expr::ExprContext &context, const program::Program &program, bool knowsVariables);

  const Object &at(ObjectId id) const { return objects_[id]; }
  size_t size() const { return objects_.size(); }
  ObjectId addLocal(uint32_t function, uint64_t size);
  ObjectId addHeap();
  /// The variable at this address; kNoObject: there is none.
  ObjectId variableAt(uint64_t address);
  ObjectId variable(uint32_t index);
  /// The object whose room an address is in; kNoObject: none.
  ObjectId objectAt(uint64_t address);
  ObjectId unknownAt(ExprPtr root);
  /// The address may be another term than this root, which callers did not choose.
  void setUnclear(ExprPtr root) {
    Object &object = objects_[unknownAt(root)];
    object.isOfCallers = false;
    object.isUnclear = true;
  }
  /// The root is one of several summands that are no constants: another may be the pointer.
  void setIndexed(ExprPtr root) { objects_[unknownAt(root)].isUnclear = true; }
  /// It is accessed where the addresses of these objects were given away.
  void setAccessed(ObjectId id, const ObjectSet &givenAway);

  /// What it holds where nothing that is followed was stored to it.
  /// \param epoch  null: at the start
  BasePtr baseAt(ObjectId id, const EpochPtr &epoch);
  EpochPtr addEpoch(EpochPtr before, Changes changes);
  /// After one of the two.
  EpochPtr joined(EpochPtr a, EpochPtr b);
  /// May they change the object?
  bool isChanged(ObjectId id, const Changes &changes) const;
  /// One where the condition holds, the other otherwise.
  BasePtr choice(ExprPtr condition, const BasePtr &yes, const BasePtr &no);
  BasePtr freshBase(uint32_t variable = program::kNoIndex);
  BasePtr zeroBase() const { return zero_; }
  /// One byte of what a base holds.
  ExprPtr byteOf(const Base &base, int64_t offset);

  /// An unknown value.
  ExprPtr fresh(unsigned width);
  /// Is the term an argument of the entry, or what callers left in memory?
  bool isOfCallers(ExprPtr root) const;
  /// An unknown value that callers chose.
  ExprPtr freshOfCallers(unsigned width);
  /// What holds of unknown values that were given out (ranges of variables).
  const std::vector<ExprPtr> &facts() const { return facts_; }

private:
  ObjectId add(Object object);
  /// With an address of its own.
  ObjectId addPlaced(Object object);
  BasePtr initial(ObjectId id);
  ExprPtr wordOf(const Base &base, int64_t word);
  void addRanges(const Base &base, int64_t word, ExprPtr symbol);

  expr::ExprContext &context_;
  const program::Program &program_;
  bool knowsVariables_;
  std::vector<Object> objects_;
  std::unordered_map<uint64_t, BasePtr> bases_; ///< by object and Epoch::id
  std::map<uint64_t, uint32_t> variables_;      ///< by address: Program::globals
  llvm::DenseMap<uint32_t, ObjectId> ofVariable_;
  llvm::DenseMap<ExprPtr, ObjectId> ofRoot_;
  std::map<std::pair<uint32_t, int64_t>, ExprPtr> words_; ///< by Base::id and number of the word
  llvm::DenseMap<ExprPtr, bool> ofCallers_;               ///< symbolic arrays
  std::vector<ExprPtr> facts_;
  BasePtr zero_;
  uint32_t numBases_ = 0, symbols_ = 0, epochs_ = 0;
};

} // namespace fathom::bmc
#endif
