// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/GuidedSearch.h"

#include "solver/Inversion.h"
#include "solver/RowWords.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fathom::solver {

using expr::RowLayout;

// --- the assignment
// ---------------------------------------------------------------------------------------------

/// Distances matter by their order of magnitude: one bit of a word should not outweigh ten
/// constraints.
static uint64_t badness(uint64_t distance) {
  if (!distance) return 0;
  const unsigned bits = 63 - static_cast<unsigned>(std::countl_zero(distance));
  const uint64_t fraction = bits >= 4 ? distance >> (bits - 4) & 15 : distance << (4 - bits) & 15;
  return 64 + 16 * bits + fraction;
}

GuidedSearch::GuidedSearch(const RowLayout &layout, std::span<const ExprPtr> constraints,
                           uint64_t seed)
    : layout_(layout), rng_(seed), current_(layout.rowBytes()), distances_(constraints.size()),
      weights_(constraints.size(), 1) {
  constexpr size_t kMaxBreadth = 8, kRoom = size_t(4) << 20;
  const size_t each = kBatch * (layout.rowBytes() + 8 * constraints.size());
  if (!layout.applications().empty())
    maxBreadth_ = static_cast<unsigned>(std::clamp<size_t>(kRoom / each, 1, kMaxBreadth));
  batch_.resize(maxBreadth_ * kBatch * layout.rowBytes());
  batchDistances_.resize(maxBreadth_ * kBatch * constraints.size());
  for (ExprPtr e : constraints) clauses_.push_back(analyseClause(e, layout));
}

uint64_t GuidedSearch::score(const uint64_t *distances) const {
  uint64_t sum = 0;
  for (size_t i = 0; i < clauses_.size(); ++i) sum += weights_[i] * badness(distances[i]);
  return sum;
}

/// Distances are 0 or 1 here.
bool GuidedSearch::adopt(const Row &row) {
  current_ = row;
  model_ = layout_.model(current_, {});
  evaluator_.setModel(model_, ++version_);
  modelIsCurrent_ = true;
  ++evaluations_;
  Clock::spend(StepKind::Row, clauses_.size());
  bool all = true;
  for (size_t i = 0; i < clauses_.size(); ++i) {
    distances_[i] = evaluator_.isTrue(clauses_[i].term) ? 0 : 1;
    all &= !distances_[i];
  }
  score_ = score(distances_.data());
  return all;
}

bool GuidedSearch::quick(std::span<const Row> rows, unsigned rounds, const Deadline &deadline) {
  Row best;
  uint64_t bestScore = ~uint64_t(0);
  for (const Row &row : rows) {
    if (adopt(row)) return true;
    if (deadline.passed()) return false;
    if (score_ < bestScore) best = row, bestScore = score_;
  }
  if (best.empty()) return false;
  adopt(best);
  for (unsigned round = 0; round < rounds && !deadline.passed(); ++round) {
    std::vector<size_t> violated;
    for (size_t i = 0; i < clauses_.size(); ++i)
      if (distances_[i]) violated.push_back(i);
    Row next = current_;
    Inversion inversion(layout_, evaluator_, rng_);
    if (!inversion.make(clauses_[any(violated)].term, llvm::APInt(1, 1), next.data())) continue;
    const Row before = current_;
    const uint64_t beforeScore = score_;
    if (adopt(next)) return true;
    if (score_ > beforeScore && rng_.below(4)) adopt(before);
  }
  return false;
}

// --- the loop
// ---------------------------------------------------------------------------------------------------

void GuidedSearch::consider(const Row &row) {
  constexpr size_t kPool = 16;
  if (std::find(pool_.begin(), pool_.end(), row) != pool_.end()) return;
  if (pool_.size() < kPool)
    pool_.push_back(row);
  else
    pool_[rng_.below(kPool)] = row;
}

/// From another assignment, changed.
void GuidedSearch::restart() {
  if (!pool_.empty()) current_ = any(pool_);
  for (size_t i = 0; i < clauses_.size(); ++i) {
    if (!distances_[i] || clauses_[i].bytes.empty()) continue;
    for (unsigned n = 1 + rng_.below(8); n > 0; --n) mutate(clauses_[i], current_.data());
  }
  std::fill(weights_.begin(), weights_.end(), 1);
  steps_.clear();
  stale_ = 0;
  modelIsCurrent_ = false;
}

bool GuidedSearch::assessBatch(RowAssessor &assessor, const Deadline &deadline) {
  constexpr unsigned kPatience = 12, kDespair = 80;
  const size_t bytes = layout_.rowBytes(), n = clauses_.size();
  if (!assessor.assess(batch_.data(), inBatch_, batchDistances_.data(), deadline)) return false;
  evaluations_ += inBatch_;
  size_t best = 0;
  uint64_t bestScore = ~uint64_t(0);
  unsigned ties = 0;
  for (size_t i = 0; i < inBatch_; ++i) {
    const uint64_t s = score(&batchDistances_[i * n]);
    if (s > bestScore) continue;
    ties = s == bestScore ? ties + 1 : 1;
    if (ties == 1 || rng_.below(ties) == 0) best = i;
    bestScore = s;
  }
  if (bestScore <= score_) {
    const bool isBetter = bestScore < score_;
    const uint8_t *row = batch_.data() + best * bytes;
    if (isBetter) {
      // The word that made the difference, to go on in its direction.
      steps_.clear();
      for (const SearchClause &c : clauses_)
        for (RowLayout::Run word : c.words) {
          const uint64_t delta = wordOf(row, word) - wordOf(current_.data(), word);
          if (delta && steps_.size() < 4) steps_.push_back({word, delta});
        }
      stale_ = 0;
    }
    std::memcpy(current_.data(), row, bytes);
    std::copy_n(&batchDistances_[best * n], n, distances_.begin());
    score_ = bestScore;
    modelIsCurrent_ = false;
    if (score_ == 0) return true;
    if (isBetter) consider(current_);
  }
  const unsigned before = stale_;
  stale_ += static_cast<unsigned>((inBatch_ + kBatch - 1) / kBatch);
  if (stale_ / kPatience != before / kPatience) {
    steps_.clear();
    for (size_t i = 0; i < n; ++i)
      if (distances_[i]) ++weights_[i];
    score_ = score(distances_.data());
  }
  if (stale_ >= kDespair) {
    restart();
    std::memcpy(batch_.data(), current_.data(), bytes);
    assessor.assess(batch_.data(), 1, distances_.data());
    ++evaluations_;
    score_ = score(distances_.data());
    return score_ == 0;
  }
  return false;
}

unsigned GuidedSearch::breadth() const { return std::clamp(stale_, 1u, maxBreadth_); }

bool GuidedSearch::search(RowAssessor &assessor, std::span<const Row> seeds, uint64_t evaluations,
                          const Deadline &deadline) {
  constexpr unsigned kSoon = 8; // batches without getting on
  const uint64_t end = evaluations_ + evaluations;
  // The seeds, and what quick() ended with.
  inBatch_ = 0;
  batchEnd_ = kBatch;
  nextRow();
  for (const Row &seed : seeds) {
    consider(seed);
    if (uint8_t *row = nextRow()) std::memcpy(row, seed.data(), layout_.rowBytes());
  }
  score_ = ~uint64_t(0);
  if (assessBatch(assessor, deadline)) return true;
  std::vector<size_t> violated;
  bool isNew = true;
  while (evaluations_ < end) {
    if (isNew && stale_ >= kSoon) {
      isNew = false;
      switch (enumerate(assessor, evaluations, deadline)) {
      case Enumerated::Found: return true;
      case Enumerated::Nothing: return false;
      case Enumerated::TooMany: break;
      }
    }
    violated.clear();
    for (size_t i = 0; i < clauses_.size(); ++i)
      if (distances_[i] && !clauses_[i].bytes.empty()) violated.push_back(i);
    if (violated.empty()) return false; // what is violated depends on no input
    inBatch_ = 0;
    for (unsigned n = breadth(); n > 0; --n) propose(clauses_[any(violated)]);
    if (assessBatch(assessor, deadline)) return true;
    if (deadline.passed()) return false;
  }
  return false;
}

} // namespace fathom::solver
