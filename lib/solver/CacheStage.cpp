// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/CacheStage.h"

#include "solver/StageTable.h"

#include <algorithm>

namespace fathom::solver {

static constexpr size_t kMaxEntries = 1 << 16;
static constexpr size_t kMaxBytes = size_t(256) << 20;
static constexpr size_t kRecent = 8;         // models tried on every query
static constexpr size_t kSupersetsTried = 8; // sets kept per member
static constexpr size_t kSubsetsTried = 16;  // unsatisfiable sets kept per goal
/// After so many queries that no recent model satisfied, only one in kSeldom tries them: evaluating
/// a large query under eight models can cost more than solving it.
static constexpr unsigned kPatience = 32, kSeldom = 16;
static constexpr size_t kLargestIndexed =
    128; // a larger satisfiable set is found by its exact key and its model only

/// Any fixed order will do; by hash first, so that it does not depend on where terms lie.
static bool before(ExprPtr a, ExprPtr b) {
  return a->hash() != b->hash() ? a->hash() < b->hash() : a < b;
}

static bool isSubset(const std::vector<ExprPtr> &small, const std::vector<ExprPtr> &large) {
  if (small.size() > large.size()) return false;
  // Contradictions are mostly of few constraints, out of hundreds.
  if (small.size() * 8 < large.size())
    return std::all_of(small.begin(), small.end(), [&](ExprPtr e) {
      return std::binary_search(large.begin(), large.end(), e, before);
    });
  return std::includes(large.begin(), large.end(), small.begin(), small.end(), before);
}

bool CacheStage::lookUp(const std::vector<ExprPtr> &key, uint64_t hash, const Conjunction &query,
                        Answer &answer) {
  auto [from, to] = exact_.equal_range(hash);
  for (auto it = from; it != to; ++it) {
    const Entry &e = entries_[it->second];
    if (e.key != key) continue;
    answer = e.sat ? Answer::sat(e.model) : Answer::unsat();
    return true;
  }
  for (ExprPtr c : key) {
    auto it = unsatBy_.find(c);
    if (it == unsatBy_.end()) continue;
    for (uint32_t i : it->second)
      if (isSubset(entries_[i].key, key)) {
        answer = Answer::unsat();
        return true;
      }
  }
  if (auto it = satBy_.find(query.constraints.back()); it != satBy_.end())
    for (size_t i = it->second.size(); i-- > 0;)
      if (const Entry &e = entries_[it->second[i]]; isSubset(key, e.key)) {
        answer = Answer::sat(e.model);
        return true;
      }
  if (inVain_ >= kPatience && ++passedOver_ % kSeldom) return false;
  for (size_t i = 0; i < recent_.size(); ++i) { // latest first
    uint32_t at = recent_[(recentAt_ + recent_.size() - 1 - i) % recent_.size()];
    if (check_.satisfies(entries_[at].model, query.constraints)) {
      answer = Answer::sat(entries_[at].model);
      inVain_ = 0;
      return true;
    }
  }
  inVain_++;
  return false;
}

static void keepLatest(std::vector<uint32_t> &sets, uint32_t at, size_t most) {
  if (sets.size() == most) sets.erase(sets.begin());
  sets.push_back(at);
}

void CacheStage::remember(std::vector<ExprPtr> key, uint64_t hash, ExprPtr newest,
                          const Answer &answer) {
  if (entries_.size() >= kMaxEntries || bytes_ >= kMaxBytes) clear();
  bytes_ += sizeof(Entry) + key.size() * sizeof(ExprPtr) + answer.model.sizeBytes();
  const auto at = static_cast<uint32_t>(entries_.size());
  const bool sat = answer.kind == AnswerKind::Sat;
  exact_.emplace(hash, at);
  if (!sat) {
    keepLatest(unsatBy_[newest], at, kSubsetsTried);
  } else {
    if (key.size() <= kLargestIndexed)
      for (ExprPtr c : key) keepLatest(satBy_[c], at, kSupersetsTried);
    if (recent_.size() < kRecent) {
      recent_.push_back(at);
    } else {
      recent_[recentAt_] = at;
      recentAt_ = (recentAt_ + 1) % kRecent;
    }
  }
  entries_.push_back({std::move(key), hash, sat, answer.model});
}

/// Brings a set into its one order; its hash.
static uint64_t canonical(std::vector<ExprPtr> &key) {
  std::sort(key.begin(), key.end(), before);
  key.erase(std::unique(key.begin(), key.end()), key.end());
  uint64_t hash = key.size();
  for (ExprPtr e : key) hash = (hash ^ e->hash()) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 32;
  return hash;
}

Answer CacheStage::solve(const Conjunction &query) {
  StageTimer timer(stats_);
  if (query.constraints.empty()) return timer.answered(Answer::sat({}));
  if (collections_ != context_.collections()) {
    // Entries are valid if they were among the roots of the collection.
    if (!rootsVisited_ || context_.collections() != collections_ + 1) clear();
    collections_ = context_.collections();
  }
  rootsVisited_ = false;
  std::vector<ExprPtr> key(query.constraints.begin(), query.constraints.end());
  uint64_t hash = canonical(key);
  Answer answer;
  if (lookUp(key, hash, query, answer)) return timer.answered(std::move(answer));
  answer = timer.pass([&] { return next_->solve(query); });
  if (answer.kind == AnswerKind::Unsat && !answer.core.empty()) {
    // The part that contradicts itself says more than the whole.
    key = answer.core;
    hash = canonical(key);
    remember(std::move(key), hash, answer.core.back(), answer);
  } else if (answer.kind == AnswerKind::Unsat ||
             (answer.kind == AnswerKind::Sat && query.needModel)) {
    remember(std::move(key), hash, query.constraints.back(), answer);
  }
  return answer;
}

void CacheStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  next_->appendStats(out);
}

void CacheStage::visitRoots(const std::function<void(ExprPtr)> &visit) const {
  for (const Entry &e : entries_)
    for (ExprPtr c : e.key) visit(c);
  rootsVisited_ = true;
  next_->visitRoots(visit);
}

void CacheStage::clear() {
  entries_.clear();
  bytes_ = 0;
  exact_.clear();
  unsatBy_.clear();
  satBy_.clear();
  recent_.clear();
  recentAt_ = 0;
}

void CacheStage::dropCaches() {
  clear();
  next_->dropCaches();
}

void putCacheStage(ChainBuilder &chain) {
  chain.put(std::make_unique<CacheStage>(chain.context, chain.takeSets()));
}

} // namespace fathom::solver
