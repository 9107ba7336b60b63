// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways through one function: can control come from here to there, without passing something, and
// with branches that do not contradict each other?
#ifndef FATHOM_STATICS_CHECKERS_WAYS_H
#define FATHOM_STATICS_CHECKERS_WAYS_H

#include "statics/checkers/Conditions.h"

#include <functional>
#include <optional>
#include <unordered_set>

namespace fathom::statics {

/// Where a way ends: a statement, an edge between blocks, or any return from the function.
struct WayEnd {
  StatementId statement = kNone;
  BlockId from = kNone, to = kNone;
  bool anyReturn = false;
  static WayEnd at(StatementId s) { return {.statement = s}; }
  static WayEnd edge(BlockId from, BlockId to) { return {.from = from, .to = to}; }
  static WayEnd returns() { return {.anyReturn = true}; }
};

/// What a way does not pass.
struct WayBars {
  std::function<bool(StatementId)> statement; ///< nullptr: none
  std::vector<BlockId> blocks{};              ///< that are not entered
};

/// What ways from one place reach, for many questions about it.
class Reach {
public:
  /// Is there a way to the end? After too many ways: does control allow one, whatever branches say?
  bool has(const WayEnd &end) const;
  /// Were there too many ways, so that branches do not count?
  bool isGuess() const { return isGuess_; }

private:
  friend class WaySearch;
  const Facts *facts_ = nullptr;
  BlockId first_ = 0, beginBlock_ = 0;
  StatementId begin_ = 0, beginEnd_ = 0;           ///< statements of the block where ways begin
  std::vector<StatementId> end_;                   ///< by block: after its last one; 0: not entered
  std::vector<std::pair<BlockId, BlockId>> edges_; ///< ascending
  bool returns_ = false, isGuess_ = false;
};

class Ways {
public:
  /// \param returns  by function: can a call of it return?
  Ways(const ValueFlow &flow, FunctionId function, const std::vector<bool> &returns)
      : flow_(flow), facts_(flow.facts), function_(function), returns_(returns),
        dominators_(flow.facts, flow.facts.functions[function]), numbers(flow, function) {}

  /// What the branches that every way to the block takes say.
  std::optional<Known> knownAt(BlockId block);
  /// Begins after `begin`; kNone: at the start of the function.
  ///
  /// \param known  what holds at the beginning.
  /// Guarantee:    false only when there is no way on which branches agree with each other.
  /// Cost:         bounded; beyond the bound branches do not count.
  bool exists(StatementId begin, const Known &known, const WayEnd &end, const WayBars &bars);
  /// Did the last answer of `exists` come after too many ways, so that branches do not count?
  bool wasGuess() const { return wasGuess_; }
  /// The same for all ends at once.
  Reach reach(StatementId begin, const Known &known, const WayBars &bars);
  /// The same with what the branches before `begin` say.
  bool exists(StatementId begin, const WayEnd &end, const WayBars &bars);
  const Dominators &dominators() const { return dominators_; }
  /// What holds when control goes along the edge, and has not entered the block; nullopt: it does
  /// not go there.
  std::optional<Known> knownOn(BlockId from, BlockId to);
  /// What holds when control has just come along the edge; nullopt: it does not.
  std::optional<Known> knownBehind(BlockId from, BlockId to);
  /// Predecessors of a block that are reached, in the order of the operands of memory's phis.
  const std::vector<uint32_t> &previous(uint32_t block) const {
    return dominators_.previous[block];
  }

private:
  friend class WaySearch;
  /// Adds what the edge says; false: it is not taken.
  /// \param all  also what no other branch depends on.
  bool takeEdge(Known &known, BlockId from, BlockId to, bool all);
  /// The phi of this block on which its branch depends.
  struct Deciding {
    StatementId phi = kNone; ///< kNone: there is none
    /// It is the condition: `while (p && p->next)` makes one, which is false where control comes
    /// from `p`. Otherwise it is compared with a number: `if (done != 0)`.
    bool isCondition = false;
  };
  Deciding decidingPhi(BlockId block);
  /// May the branch of the block go this way where the phi that decides it is this number?
  bool mayDecide(BlockId block, ValueId phi, int64_t number, bool holds);
  /// Phis of the block that are a number on some way, and on which branches depend. Not those of
  /// loops: a counter would tell the first round from others, and each loop would double the ways.
  const std::vector<StatementId> &flagsOf(BlockId block);
  /// Control came along the edge: what the block changes is forgotten, and its phis are the edge's
  /// operands. False: that contradicts what is known.
  /// \param all  also what no other branch depends on.
  bool arrive(Known &known, BlockId from, BlockId to, bool all);
  /// The phi is the operand of the edge, if that is a number or, of a condition, what branches
  /// depend on (all: anything).
  bool assumeIncoming(Known &known, StatementId phi, BlockId from, bool isCondition, bool all);
  /// Adds what the branch of `from` to `to` says of where control came from, if its phi leaves one
  /// way; false: it is not taken.
  bool cameOneWay(Known &known, BlockId from, BlockId to);
  bool ends(StatementId call) const;
  /// The block's branch that a value decides; null: it has none.
  const Statement *branchOf(BlockId block) const;
  void countBranches();
  /// Does what a branch says tell anything of another branch, or of what is known?
  bool tells(const Known &known, ValueId condition);

  const ValueFlow &flow_;
  const Facts &facts_;
  const FunctionId function_;
  const std::vector<bool> &returns_;
  const Dominators dominators_;
  std::unordered_map<BlockId, std::optional<Known>> knownAt_;
  std::unordered_map<ValueId, uint32_t> branchesOn_; ///< how many are decided by the value
  std::unordered_map<BlockId, Deciding> decidingPhi_;
  std::unordered_map<BlockId, std::vector<StatementId>> flags_;
  std::unordered_set<BlockId> asked_; ///< by knownAt, which has not answered yet
  uint32_t overflows_ = 0;            ///< searches that found too many ways
  bool isCounted_ = false, wasGuess_ = false;

public:
  ValueNumbers numbers;
};

/// By function: is there a way from its start to a return? Calls of others end a way.
std::vector<bool> findReturning(const PointsTo &pts);
/// Does no call at this statement return? \param returns  of findReturning
bool neverReturns(const PointsTo &pts, const std::vector<bool> &returns, StatementId call);

} // namespace fathom::statics
#endif
