// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a path cannot come to the sink any more, or not to the source without which its defect
// would be another one: it need not be followed further. An error that ends the program is such a
// place, and whatever comes after the last way to the sink.
//
// Guarantee: over-approximates what can be reached: a call through a pointer may call what
//            CallGraph says, and longjmp may lead anywhere.
#ifndef FATHOM_CONFIRM_DEADENDS_H
#define FATHOM_CONFIRM_DEADENDS_H

#include "confirm/CallGraph.h"
#include "confirm/SourceUse.h"
#include "evidence/LedgerCategory.h"
#include "explore/policy/Policy.h"
#include "program/CodeFlow.h"

#include <memory>
#include <vector>

namespace fathom::confirm {

/// From where in their functions calls come back.
class Returns {
public:
  /// Linear in the code, times the nesting of calls.
  explicit Returns(const program::Program &program);

  const std::vector<program::CodeBlock> &blocksOf(uint32_t f) const { return blocks_[f]; }
  uint32_t blockAt(uint32_t function, uint32_t inst) const;
  /// Can a call of the function come back?
  bool returns(uint32_t function) const { return returns_[function]; }
  /// Can the function's activation come back from before this instruction?
  bool returnsFrom(uint32_t function, uint32_t inst) const;
  /// Whether control goes on after the instruction.
  bool passes(const program::Inst &inst) const {
    return inst.op != program::Op::Call || returns_[inst.c];
  }

private:
  bool update(const program::FunctionCode &f);

  const program::Program &program_;
  std::vector<std::vector<program::CodeBlock>> blocks_;
  std::vector<std::vector<bool>> fromBlock_;
  std::vector<bool> returns_;
};

/// From where a place can be reached. It refers to what it is made of.
class PlaceReach {
public:
  PlaceReach(const program::Program &program, const CallGraph &calls, const Returns &returns,
             const Place &place);

  /// Can the path come there? One with threads always can. O(stack).
  bool from(const explore::Engine &engine, const explore::State &s) const;
  /// Where a policy has to look: at beginnings of blocks, and of functions that do not come back,
  /// from which the activation does not come there.
  std::vector<explore::PointSite> frontier() const;

private:
  /// Can the activation come there, itself or in what it calls, from before the instruction?
  bool from(uint32_t function, uint32_t inst) const;
  bool isPlace(uint32_t function, uint32_t inst) const;
  bool hits(const program::FunctionCode &f, uint32_t inst) const;
  void addFunction(const program::FunctionCode &f);

  const program::Program &program_;
  const Returns &returns_;
  const Place &place_;
  std::vector<bool> reaching_;        ///< functions
  std::vector<bool> throughPointers_; ///< by function: its calls through pointers lead to such
  std::vector<bool> isJump_;          ///< externals
  std::vector<std::vector<bool>> fromBlock_; ///< empty: nowhere
};

/// The ledger's category for paths that were ended because they missed the source, although the
/// sink can be reached: where a function runs several times, an earlier run may have been at the
/// source.
inline constexpr auto kMissedSourceCategory = evidence::LedgerCategory::MissedSource;

/// The ledger's category for paths that were ended because they cannot come to the sink.
inline constexpr auto kDeadEndCategory = evidence::LedgerCategory::DeadEnd;

/// Ends paths that cannot come to the sink and, before they were at the source, those that cannot
/// come to the source.
class DeadEnds final : public explore::Policy {
public:
  /// \param source  null: paths may come from anywhere; otherwise the report's, with its reach.
  explicit DeadEnds(std::shared_ptr<const PlaceReach> sink, const SourceUse *source = nullptr,
                    std::shared_ptr<const PlaceReach> sourceReach = nullptr)
      : sink_(std::move(sink)), source_(source), sourceReach_(std::move(sourceReach)) {}
  std::vector<explore::PointSite> points(const program::Program &) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;

private:
  std::shared_ptr<const PlaceReach> sink_;
  const SourceUse *source_;
  std::shared_ptr<const PlaceReach> sourceReach_;
};

} // namespace fathom::confirm
#endif
