// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory at a point of the code: for each object the cells that were stored to, on what it held
// before. A cell is an offset that is a number, a count of bytes, and a term. Copies share all that
// none of them changes.
//
// A store at an offset that is no number forgets the cells that it may change. So what is read is
// what was stored, or any value.
//
// Two objects of which one is what an unknown pointer leads to may be the same. They are not where
// one is of this run and its address was not yet given away when the pointer was used first: then
// the pointer is not that address.
#ifndef FATHOM_BMC_MEMORY_H
#define FATHOM_BMC_MEMORY_H

#include "bmc/Objects.h"

#include <array>

namespace fathom::bmc {

struct Cell {
  int64_t offset = 0;
  uint32_t bytes = 0;
  ExprPtr value = nullptr; ///< of 8 * bytes bits
  int64_t end() const { return offset + bytes; }
};

struct Contents {
  BasePtr base;
  std::vector<Cell> cells; ///< by offset; no two overlap
  ExprPtr freed = nullptr; ///< width 1
};
using ContentsPtr = std::shared_ptr<const Contents>;

class Memory {
public:
  /// Of `bytes` bytes at a number: what was stored, or what the object held.
  ExprPtr load(Objects &objects, expr::ExprContext &context, ObjectId object, int64_t offset,
               uint32_t bytes);
  /// The same at an offset that is no number.
  ExprPtr loadAnywhere(Objects &objects, expr::ExprContext &context, ObjectId object,
                       ExprPtr offset, uint32_t bytes);
  /// Where the condition holds.
  void store(Objects &objects, expr::ExprContext &context, ObjectId object, int64_t offset,
             uint32_t bytes, ExprPtr value, ExprPtr condition);
  void storeAnywhere(Objects &objects, expr::ExprContext &context, ObjectId object, ExprPtr offset,
                     uint32_t bytes);
  /// All of it is replaced.
  void fill(Objects &objects, ObjectId object, BasePtr base);
  /// Code ran that is not followed.
  void change(Objects &objects, const Changes &changes);

  ExprPtr freed(Objects &objects, expr::ExprContext &context, ObjectId object) const;
  void setFreed(Objects &objects, ObjectId object, ExprPtr freed);
  /// Blocks whose address was given away, and what unknown pointers lead to, may have been freed
  /// where `freed` is true, besides.
  void mayFree(const Objects &objects, expr::ExprContext &context, ExprPtr freed);
  /// Of objects that unknown pointers lead to, at first.
  void setInitiallyFreed(ExprPtr freed) { initiallyFreed_ = freed; }
  /// Was there a store to another object that may be this one, if unknown pointers are not
  /// distinct?
  bool isWrittenElsewhere(const Objects &objects, ObjectId object) const;
  /// The same of releases.
  bool isFreedElsewhere(const Objects &objects, ObjectId object) const;

  /// The object's address is where code that is not followed, or a load, may find it.
  void giveAway(ObjectId object);
  bool isGivenAway(ObjectId object) const { return isIn(givenAway_, object); }
  const ObjectSet &givenAway() const { return givenAway_; }

  /// This where the condition holds, otherwise the other.
  void join(Objects &objects, expr::ExprContext &context, ExprPtr condition, const Memory &other);

private:
  static constexpr size_t kChunk = 32;
  using Chunk = std::array<ContentsPtr, kChunk>;

  const Contents *find(ObjectId object) const {
    const size_t chunk = object / kChunk;
    return chunk < chunks_.size() && chunks_[chunk] ? (*chunks_[chunk])[object % kChunk].get()
                                                    : nullptr;
  }
  ContentsPtr &slot(ObjectId object);
  Contents &contents(Objects &objects, ObjectId object);
  BasePtr baseOf(Objects &objects, ObjectId object) const;
  ExprPtr assembled(Objects &objects, expr::ExprContext &context, ObjectId object, int64_t offset,
                    uint32_t bytes) const;
  Contents joined(Objects &objects, expr::ExprContext &context, ObjectId object, ExprPtr condition,
                  const Memory &other) const;
  ExprPtr peek(Objects &objects, expr::ExprContext &context, ObjectId object, int64_t offset,
               uint32_t bytes) const;

  /// The objects something was done to, ascending.
  using Touched = std::vector<ObjectId>;
  static void add(Touched &touched, ObjectId object);
  static void add(Touched &touched, const Touched &others);
  /// Only code that is followed knows its address.
  bool isPrivate(const Objects &objects, ObjectId object) const {
    const ObjectKind kind = objects.at(object).kind;
    return (kind == ObjectKind::Local || kind == ObjectKind::Heap) && !isGivenAway(object);
  }
  bool isElsewhere(const Touched &touched, const Objects &objects, ObjectId object) const;
  bool mayBeOne(const Objects &objects, ObjectId a, ObjectId b) const;

  /// Blocks and what unknown pointers lead to, of all objects up to a number, may be freed.
  struct MayBeFreed {
    ObjectId end;
    ExprPtr freed;
    ObjectSet givenAway; ///< of blocks, only these
    bool operator==(const MayBeFreed &) const = default;
  };
  void foldReleases(expr::ExprContext &context);

  std::vector<std::shared_ptr<Chunk>> chunks_; ///< null: as at the epoch
  std::vector<MayBeFreed> mayBeFreed_;
  EpochPtr epoch_;
  ExprPtr initiallyFreed_ = nullptr;
  Touched written_, freed_;
  ObjectSet givenAway_;
};

} // namespace fathom::bmc
#endif
