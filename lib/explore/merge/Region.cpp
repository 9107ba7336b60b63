// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/Region.h"

#include "explore/merge/HeaderJoin.h"
#include "explore/merge/PathUnsimplifiedTerms.h"

#include <algorithm>

namespace fathom::explore {

namespace {
/// Instructions of a state's turn.
constexpr int64_t kRegionQuantum = 100'000;
/// A replay gets other solver answers, so its region may become somewhat larger.
constexpr uint64_t kSlack = 4;

/// For as long as it lives, forks do not count, nothing is covered, and nothing goes into the
/// ledger: what happens in a trial happens once more.
class Uncounted {
public:
  Uncounted(Engine &engine, const State &root)
      : engine_(engine), wasMuted_(root.replayedLog != nullptr),
        forks_(engine.services.stats.forks), states_(engine.services.stats.states),
        newCoverage_(engine.interpreter.coverage.newCoverage),
        covered_(engine.interpreter.coverage.justCovered.size()) {
    engine.services.ledger.mute(true);
  }
  ~Uncounted() {
    engine_.services.ledger.mute(wasMuted_);
    engine_.services.stats.forks = forks_;
    engine_.services.stats.states = states_;
    Coverage &coverage = engine_.interpreter.coverage;
    for (size_t i = covered_; i < coverage.justCovered.size(); i++) {
      const uint32_t what = coverage.justCovered[i];
      std::vector<uint8_t> &cover = what & Coverage::kSideBit ? coverage.sideCover : coverage.cover;
      cover[what & ~Coverage::kSideBit] = 0;
    }
    coverage.justCovered.resize(covered_);
    coverage.newCoverage = newCoverage_;
  }
  Uncounted(const Uncounted &) = delete;

private:
  Engine &engine_;
  bool wasMuted_;
  uint64_t forks_, states_, newCoverage_;
  size_t covered_;
};
} // namespace

expr::Counters Region::countersOf(const State &s) {
  expr::Counters counters;
  for (const ExprPtr *array : s.counters.items()) counters.insert(*array);
  return counters;
}

bool Region::mustStop() const {
  return engine_.stepContext.mustStop() || engine_.stepContext.sinkFailed ||
         (engine_.services.options.stopAtFirstBug && engine_.services.stats.bugs > bugsThen_);
}

bool Region::isTooLarge() const {
  const uint64_t slack = LogFollower::isFollowed(root_) ? kSlack : 1;
  return unfinished() + leaves_.size() > limits_.maxStates * slack ||
         engine_.interpreter.instructions > until_ ||
         (limits_.maxPageBytes && Memory::pageBytes() > pagesThen_ + limits_.maxPageBytes);
}

Region::Result Region::explore() {
  NestedSteps nested(engine_.stepContext);
  std::optional<Uncounted> uncounted;
  if (isTrial_) uncounted.emplace(engine_, root_);
  bugsThen_ = engine_.services.stats.bugs;
  pagesThen_ = Memory::pageBytes();
  until_ = engine_.interpreter.instructions +
           limits_.maxInstructions * (LogFollower::isFollowed(root_) ? kSlack : 1);
  return run();
}

Region::Result Region::run() {
  auto first = std::make_unique<State>(root_);
  first->id = engine_.forks.nextStateId++;
  first->repeats = isTrial_ || LogFollower::isFollowed(root_);
  first->passed = first->ip;
  if (record_) first->log.append(Record::Region, *record_);
  begins_ = first->log.size();
  Calls::ownTopFrame(*first);
  engine_.interpreter.memory.flushTlb(); // pages of the root are shared now
  open_.push_back(std::move(first));
  auto isLeft = [&] { return !open_.empty() || (joins_ && !joins_->isEmpty()); };
  while (isLeft()) {
    if (open_.empty()) {
      if (isTrial_ && joins_->hasLearned()) return Result::TooMany;
      open_.push_back(joins_->next());
      engine_.interpreter.memory.flushTlb(); // its pages are shared
    }
    if (mustStop()) return Result::Stopped;
    if (isTooLarge()) return giveUp();
    // A state that follows a log knows from it that there was a pattern in the end.
    if (isRegular_ && !LogFollower::isFollowed(root_) &&
        unfinished() + leaves_.size() >= nextCheck_) {
      nextCheck_ *= 2;
      if (!isRegular_(*this)) return giveUp();
    }
    std::unique_ptr<State> state = std::move(open_.back());
    open_.pop_back();
    Step step = engine_.executor.run(*state, kRegionQuantum);
    if (step.suspended) return Result::Stopped;
    const bool isOut = std::exchange(engine_.stepContext.hasArrived, false);
    for (auto &forked : step.forked) open_.push_back(std::move(forked));
    if (!step.alive) continue;
    if (!isOut) {
      open_.push_back(std::move(state));
      continue;
    }
    if (joins_ && state->ip == header_ && state->top->serial == root_.top->serial)
      joins_->arrived(std::move(state));
    else
      leaves_.push_back({std::move(state)});
  }
  // The witness decides which of two states goes on and which is the copy. The tree must not depend
  // on that, or a replay of a log would build another tree.
  std::ranges::sort(leaves_, {}, [](const RegionLeaf &leaf) { return leaf.state->identity; });
  for (RegionLeaf &leaf : leaves_) leaf.node = plant(tree_, *leaf.state);
  return Result::Whole;
}

bool Region::isUneventful(const State &leaf) const { return leaf.log.size() == begins_; }
size_t Region::unfinished() const { return open_.size() + (joins_ ? joins_->size() : 0); }

Region::Result Region::giveUp() {
  if (joins_) std::ranges::move(joins_->takeAll(), std::back_inserter(open_));
  return Result::TooMany;
}

void Region::leaveTest(Engine &engine, const State &root, State &s, const std::string &why) {
  if (s.newlyCovered.last != root.newlyCovered.last) engine.ends.leaveTest(s, why);
}

void Region::leaveTests(const std::string &why) {
  if (joins_) std::ranges::move(joins_->takeAll(), std::back_inserter(open_));
  for (RegionLeaf &leaf : leaves_)
    if (leaf.state) leaveTest(engine_, root_, *leaf.state, why);
  for (auto &state : open_)
    if (!state->pending) leaveTest(engine_, root_, *state, why);
}

patterns::NodeId Region::plant(patterns::ExecutionTree &tree, const State &leaf) const {
  patterns::NodeId node = patterns::ExecutionTree::kRoot;
  const PathPart part = PathPart::since(leaf, root_.path, root_.decisions);
  for (expr::UnsimplifiedPtr l : part.unsimplifiedTerms(*engine_.decisions.unsimplified()))
    node = tree.add(node, l);
  return node;
}

patterns::ExecutionTree Region::treeSoFar(std::vector<patterns::NodeId> &nodes) const {
  patterns::ExecutionTree tree(countersOf(root_));
  for (const RegionLeaf &leaf : leaves_) nodes.push_back(plant(tree, *leaf.state));
  return tree;
}

} // namespace fathom::explore
