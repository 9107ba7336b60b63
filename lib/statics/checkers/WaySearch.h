// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search behind Ways::reach. What control alone allows bounds the answer: it is found first, in
// linear time, and each block's statements are looked at once. Then ways that remember what
// branches said are walked, but only towards what control allows and no such way has come to yet;
// when there is nothing of that kind, all is known, however many ways are left.
#ifndef FATHOM_STATICS_CHECKERS_WAYSEARCH_H
#define FATHOM_STATICS_CHECKERS_WAYSEARCH_H

#include "statics/checkers/Ways.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace fathom::statics {

class WaySearch {
public:
  /// \param wanted  nothing else matters: when it is reached, that is enough. nullptr: all does.
  WaySearch(Ways &ways, StatementId begin, const Known &known, const WayBars &bars,
            const WayEnd *wanted);
  /// What control reaches, whatever branches say.
  const Reach &plain();
  /// What ways reach on which branches agree; after too many ways plain(), as a guess.
  Reach run();

private:
  /// So many ways are walked; in functions that had too many several times, fewer.
  static constexpr size_t kMaxStates = 400, kFewStates = 100;
  static constexpr uint32_t kOftenTooMany = 16;
  /// Blocks by their place in the function, and edges by their place among all blocks' successors.
  using Block = uint32_t;
  using Edge = uint32_t;
  /// What control passes in a block that it enters; or, of the first, after the beginning.
  struct Pass {
    StatementId behind = 0; ///< the last statement that is passed; 0: it was not asked
    bool goesOn = false, returns = false, isWanted = false;
  };
  struct State {
    Block block;
    Known known;
  };

  BlockId idOf(Block block) const { return first_ + block; }
  Pass passFrom(Block block, StatementId from) const;
  /// The first time only.
  void walkPlainly();
  void leavePlainly(Block block, std::vector<Block> &open);
  /// False: there are too many ways.
  bool walk();
  void leave(Block block, const Known &known);
  bool isWantedEdge(Block from, BlockId to) const;
  void enter(Block block);
  /// From which blocks does control come to what is looked for, and not found yet?
  void findUseful();
  bool isDone() const { return wanted_ ? isFound_ : missing_ == 0; }
  /// The answer: of the ways, or of what control allows.
  Reach answer(bool isPlain) const;

  Ways &ways_;
  const Facts &facts_;
  const Known &known_;
  const WayBars &bars_;
  const WayEnd *wanted_;
  const BlockId first_;
  const Block beginBlock_;
  const StatementId begin_; ///< the first statement after the beginning
  Pass beginPass_;
  std::vector<Pass> passes_;               ///< by block
  std::vector<Edge> edgesOf_;              ///< by block: its first successor
  std::vector<std::vector<Block>> before_; ///< by block: where control comes from
  std::vector<bool> plainEdges_, plainBlocks_;

  std::vector<bool> edges_, blocks_; ///< to which a way came
  size_t missing_ = 0;               ///< edges and blocks to which control comes, and no way did
  bool isFound_ = false, isWalkedPlainly_ = false;
  std::optional<Reach> plain_; ///< when it was asked
  std::vector<bool> useful_;   ///< by block
  bool isUsefulOld_ = true;
  std::vector<State> fresh_, open_; ///< in blocks to which no way had come before; others
  std::vector<std::set<Known>> seen_;
  size_t numSeen_ = 0;
};

/// What ways after a beginning reach that pass no bars, asked only as far as the answer is not
/// known from ways that may pass them, or from what control allows.
class BarredReach {
public:
  /// unbarred: from the same beginning, with the same known. Ways, known and unbarred outlive this.
  BarredReach(Ways &ways, StatementId begin, const Known &known, WayBars bars,
              const Reach &unbarred)
      : ways_(ways), begin_(begin), known_(known), bars_(std::move(bars)), unbarred_(unbarred) {}
  BarredReach(const BarredReach &) = delete;
  bool has(const WayEnd &end);
  bool isGuess() const { return isGuess_; } ///< was the last answer one?

private:
  Ways &ways_;
  const StatementId begin_;
  const Known &known_;
  const WayBars bars_;
  const Reach &unbarred_;
  std::optional<WaySearch> search_;
  std::optional<Reach> reach_;
  bool isGuess_ = false;
};

} // namespace fathom::statics
#endif
