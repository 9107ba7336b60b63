// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/WaySearch.h"

#include <algorithm>

namespace fathom::statics {

WaySearch::WaySearch(Ways &ways, StatementId begin, const Known &known, const WayBars &bars,
                     const WayEnd *wanted)
    : ways_(ways), facts_(ways.facts_), known_(known), bars_(bars), wanted_(wanted),
      first_(facts_.functions[ways.function_].firstBlock),
      beginBlock_(begin == kNone ? 0 : facts_.statements[begin].block - first_),
      begin_(begin == kNone ? facts_.blocks[first_].firstStatement : begin + 1),
      passes_(facts_.functions[ways.function_].numBlocks), before_(passes_.size()),
      plainBlocks_(passes_.size()), useful_(passes_.size()), seen_(passes_.size()) {
  Edge edges = 0;
  for (Block b = 0; b < passes_.size(); b++) {
    edgesOf_.push_back(edges);
    edges += static_cast<Edge>(facts_.blocks[idOf(b)].next.size());
  }
  plainEdges_.resize(edges);
}

// --- what control allows

WaySearch::Pass WaySearch::passFrom(Block block, StatementId from) const {
  Pass pass{.behind = from, .goesOn = true};
  for (StatementId s = from; s < facts_.blocks[idOf(block)].end(); s++) {
    pass.behind = s + 1;
    pass.isWanted |= wanted_ && s == wanted_->statement;
    if (bars_.statement && bars_.statement(s)) pass.goesOn = false;
    if (!pass.goesOn) break;
    pass.returns |= facts_.statements[s].kind == StatementKind::Return;
    if (ways_.ends(s)) {
      pass.goesOn = false;
      break;
    }
  }
  pass.isWanted |= wanted_ && wanted_->anyReturn && pass.returns;
  return pass;
}

bool WaySearch::isWantedEdge(Block from, BlockId to) const {
  return wanted_ && wanted_->from == idOf(from) && wanted_->to == to;
}

void WaySearch::leavePlainly(Block block, std::vector<Block> &open) {
  const std::vector<BlockId> &next = facts_.blocks[idOf(block)].next;
  for (uint32_t i = 0; i < next.size(); i++) {
    if (plainEdges_[edgesOf_[block] + i]) continue; // after the beginning, and now as a whole
    plainEdges_[edgesOf_[block] + i] = true;
    isFound_ |= isWantedEdge(block, next[i]);
    if (std::ranges::find(bars_.blocks, next[i]) != bars_.blocks.end()) continue;
    const Block to = next[i] - first_;
    before_[to].push_back(block);
    if (plainBlocks_[to]) continue;
    plainBlocks_[to] = true;
    open.push_back(to);
  }
}

void WaySearch::walkPlainly() {
  if (isWalkedPlainly_) return;
  isWalkedPlainly_ = true;
  std::vector<Block> open;
  beginPass_ = passFrom(beginBlock_, begin_);
  isFound_ |= beginPass_.isWanted;
  if (beginPass_.goesOn) leavePlainly(beginBlock_, open);
  while (!open.empty()) {
    const Block block = open.back();
    open.pop_back();
    passes_[block] = passFrom(block, facts_.blocks[idOf(block)].firstStatement);
    isFound_ |= passes_[block].isWanted;
    if (passes_[block].goesOn) leavePlainly(block, open);
  }
}

// --- what ways reach on which branches agree

void WaySearch::findUseful() {
  isUsefulOld_ = false;
  useful_.assign(useful_.size(), false);
  std::vector<Block> open;
  const auto add = [&](Block block) {
    if (!useful_[block]) open.push_back(block);
    useful_[block] = true;
  };
  for (Block b = 0; b < passes_.size(); b++) {
    if (wanted_) {
      if (plainBlocks_[b] && passes_[b].isWanted) add(b);
      if (wanted_->from == idOf(b)) add(b);
      continue;
    }
    const size_t successors = facts_.blocks[idOf(b)].next.size();
    for (uint32_t i = 0; i < successors; i++)
      if (plainEdges_[edgesOf_[b] + i] && !edges_[edgesOf_[b] + i]) add(b);
    if (plainBlocks_[b] && !blocks_[b]) add(b);
  }
  while (!open.empty()) {
    const Block block = open.back();
    open.pop_back();
    for (const Block before : before_[block]) add(before);
  }
}

void WaySearch::enter(Block block) {
  isFound_ |= passes_[block].isWanted;
  if (blocks_[block]) return;
  blocks_[block] = true;
  missing_--;
  isUsefulOld_ = true;
}

void WaySearch::leave(Block block, const Known &known) {
  const std::vector<BlockId> &next = facts_.blocks[idOf(block)].next;
  for (uint32_t i = 0; i < next.size(); i++) {
    Known then = known;
    if (!ways_.takeEdge(then, idOf(block), next[i], /*all=*/false)) continue;
    isFound_ |= isWantedEdge(block, next[i]);
    if (!edges_[edgesOf_[block] + i]) {
      edges_[edgesOf_[block] + i] = true;
      missing_--;
      isUsefulOld_ = true;
    }
    if (std::ranges::find(bars_.blocks, next[i]) != bars_.blocks.end()) continue;
    if (!ways_.arrive(then, idOf(block), next[i], /*all=*/false)) continue;
    const Block to = next[i] - first_;
    const bool isFresh = !blocks_[to];
    enter(to);
    if (!passes_[to].goesOn) continue;
    const auto [state, isNew] = seen_[to].insert(std::move(then));
    if (!isNew) continue;
    numSeen_++;
    (isFresh ? fresh_ : open_).push_back({to, *state});
  }
}

bool WaySearch::walk() {
  edges_.assign(plainEdges_.size(), false);
  blocks_.assign(plainBlocks_.size(), false);
  missing_ = static_cast<size_t>(std::ranges::count(plainEdges_, true) +
                                 std::ranges::count(plainBlocks_, true));
  isFound_ = beginPass_.isWanted;
  isUsefulOld_ = true;
  for (auto &seen : seen_) seen.clear();
  numSeen_ = 0;
  fresh_.clear();
  open_.clear();
  if (beginPass_.goesOn) leave(beginBlock_, known_);
  // What is useful is found anew now and then: less is never useful again.
  constexpr size_t kOften = 16;
  const size_t most = ways_.overflows_ < kOftenTooMany ? kMaxStates : kFewStates;
  for (size_t steps = 0; !isDone() && !(fresh_.empty() && open_.empty()); steps++) {
    if (numSeen_ > most) return false;
    if (steps == 0 || (isUsefulOld_ && !wanted_ && steps % kOften == 0)) findUseful();
    std::vector<State> &from = fresh_.empty() ? open_ : fresh_;
    const State state = std::move(from.back());
    from.pop_back();
    if (useful_[state.block]) leave(state.block, state.known);
  }
  return true;
}

Reach WaySearch::answer(bool isPlain) const {
  Reach out;
  out.facts_ = &facts_;
  out.first_ = first_;
  out.beginBlock_ = idOf(beginBlock_);
  out.begin_ = begin_;
  out.beginEnd_ = beginPass_.behind;
  out.returns_ = beginPass_.returns;
  out.end_.resize(passes_.size());
  for (Block b = 0; b < passes_.size(); b++) {
    const std::vector<BlockId> &next = facts_.blocks[idOf(b)].next;
    for (uint32_t i = 0; i < next.size(); i++)
      if ((isPlain ? plainEdges_ : edges_)[edgesOf_[b] + i])
        out.edges_.emplace_back(idOf(b), next[i]);
    if (!(isPlain ? plainBlocks_ : blocks_)[b]) continue;
    out.end_[b] = passes_[b].behind;
    out.returns_ |= passes_[b].returns;
  }
  std::ranges::sort(out.edges_);
  out.edges_.erase(std::ranges::unique(out.edges_).begin(), out.edges_.end());
  return out;
}

const Reach &WaySearch::plain() {
  walkPlainly();
  if (!plain_) plain_ = answer(/*isPlain=*/true);
  return *plain_;
}

Reach WaySearch::run() {
  walkPlainly();
  if (wanted_ && !isFound_) return answer(/*isPlain=*/true);
  if (walk()) return answer(/*isPlain=*/false);
  ways_.overflows_++;
  Reach out = answer(/*isPlain=*/true);
  out.isGuess_ = true;
  return out;
}

bool BarredReach::has(const WayEnd &end) {
  isGuess_ = unbarred_.isGuess();
  if (!unbarred_.has(end)) return false;
  if (!bars_.statement && bars_.blocks.empty()) return true;
  if (!search_) search_.emplace(ways_, begin_, known_, bars_, nullptr);
  isGuess_ = false;
  if (!search_->plain().has(end)) return false;
  if (!reach_) reach_ = search_->run();
  isGuess_ = reach_->isGuess();
  return reach_->has(end);
}

} // namespace fathom::statics
