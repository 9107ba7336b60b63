// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run() orders the bytes, divides the terms among the levels, and starts at the second level: the
// first has no constraint of its own that is not in the domain already. A level is compiled when it
// is reached for the first time; most contradictions are found before the last one.
#include "solver/DomainSearch.h"

#include "expr/BatchEvaluator.h"
#include "expr/TermVisitor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace fathom::solver {

using expr::BatchEvaluator;
using expr::Kind;

static constexpr unsigned kLanes = BatchEvaluator::kLanes;
/// Survivors at which a level does not look for more before it goes on with those. Few, because the
/// first of them may already lead to a solution; not one, because lanes would stay empty.
static constexpr unsigned kEnough = 32;
/// Fewer lanes than this cost as much as these.
static constexpr unsigned kMinLanes = 64;

/// What an instruction costs to compile, as if it were run for this many lanes of a byte.
static constexpr uint64_t kCompileCost = 2000;

/// What is spent between two looks at the clock, of a hundred microseconds or less.
static constexpr uint64_t kBetweenLooks = 1'000'000;

using LaneBytes = std::array<uint8_t, kLanes>;

/// Assignments of the bytes of the first levels.
struct DomainSearch::Tuples {
  unsigned count = 0;
  std::vector<LaneBytes> values; // values[level][tuple]
  LaneBytes open{};              // 1: whether some constraint holds is unknown
};

struct DomainSearch::Level {
  unsigned number = 0; // its place in the order
  unsigned byte = 0;   // in bytes_
  std::vector<uint8_t> domain;
  std::vector<ExprPtr> constraints;
  // What the constraints read of terms and bytes that do not tie this byte to earlier ones.
  bool readsOwnByte = false;
  std::vector<unsigned> beforeBytes; // levels whose bytes are read directly
  std::vector<ExprPtr> ownTerms, beforeTerms;

  bool compiled = false;
  BatchEvaluator own, before; // ownTerms; beforeTerms, on all bytes before
  BatchEvaluator check;       // the constraints on: own byte, ownTerms, beforeBytes, beforeTerms
  unsigned numOwnInputs = 0;  // of check
  unsigned parentsAtOnce = 1;
  uint64_t spreadCost = 0; // per lane, of filling the other inputs of check
  Tuples survivors;

  void repeatDomain(void *to, const void *from, size_t elementSize) const;
  void spread(const Tuples &parents, unsigned first, unsigned count);
  bool holdsSomewhere(unsigned lanes, LaneBytes &alive, LaneBytes &open, uint64_t &spent);
};

DomainSearch::DomainSearch() = default;
DomainSearch::~DomainSearch() = default;

// --- which byte and which term belongs to which level
// -----------------------------------------------------------------

/// The bytes of the goal first, then those that complete a constraint; among equals the one with
/// the smallest domain.
void DomainSearch::order(std::span<const SearchConstraint> constraints) {
  const auto n = static_cast<unsigned>(bytes_.size());
  std::array<unsigned, kMaxBytes> size;
  for (unsigned b = 0; b < n; ++b) size[b] = bytes_[b].domain.size();
  uint32_t placed = 0;
  for (unsigned at = 0; at < n; ++at) {
    std::array<uint8_t, kMaxBytes> completes{};
    for (const SearchConstraint &c : constraints)
      if (uint32_t open = c.bytes & ~placed; std::has_single_bit(open))
        completes[static_cast<unsigned>(std::countr_zero(open))] = 1;
    unsigned best = kMaxBytes;
    auto isBetter = [&](unsigned b) {
      if (best == kMaxBytes) return true;
      if (bytes_[b].isOfGoal != bytes_[best].isOfGoal) return bytes_[b].isOfGoal;
      if (completes[b] != completes[best]) return completes[b] > completes[best];
      return size[b] < size[best];
    };
    for (unsigned b = 0; b < n; ++b)
      if (!(placed >> b & 1) && isBetter(b)) best = b;
    placed |= uint32_t(1) << best;

    if (levels_.size() <= at) levels_.push_back(std::make_unique<Level>());
    Level &level = *levels_[at];
    level.number = at;
    level.byte = best;
    level.compiled = false;
    level.constraints.clear();
    level.domain.clear();
    const SearchByte &byte = bytes_[best];
    const bool hasFirst = byte.domain.has(byte.value);
    if (hasFirst) level.domain.push_back(byte.value);
    byte.domain.forEach([&](uint8_t v) {
      if (!hasFirst || v != byte.value) level.domain.push_back(v);
    });
  }
}

/// Finds for every level the terms below its constraints that are over its own byte or over bytes
/// before.
void DomainSearch::divide(std::span<const SearchConstraint> constraints) {
  const auto n = static_cast<unsigned>(bytes_.size());
  std::array<uint32_t, kMaxBytes> levelOf;
  for (unsigned at = 0; at < n; ++at) levelOf[levels_[at]->byte] = at;
  auto bitOf = [&](unsigned b) { return uint32_t(1) << levelOf[b]; };
  /// The bytes that a read gets from the array at the bottom of the stores.
  auto bytesRead = [&](ExprPtr read) {
    ExprPtr array = read->op(0), index = read->op(1);
    while (array->kind() == Kind::Store) array = array->op(0);
    uint32_t mask = 0;
    for (unsigned b = 0; b < n; ++b)
      if (bytes_[b].symbol == array && (!index->isConst() || index->value() == bytes_[b].index))
        mask |= bitOf(b);
    return mask;
  };

  expr::TermNotes masks; // of the levels that a term depends on
  expr::TermVisitor once;
  auto maskOf = [&](ExprPtr e) { return e->isConst() ? 0 : static_cast<uint32_t>(masks.get(e)); };
  for (const SearchConstraint &c : constraints) {
    expr::visitPostOrder(c.term, once, [&](ExprPtr e) {
      uint32_t mask = e->kind() == Kind::Read ? bytesRead(e) : 0;
      for (unsigned i = 0; i < e->numOps(); ++i) mask |= maskOf(e->op(i));
      masks.set(e, mask);
    });
    if (uint32_t mask = maskOf(c.term)) // what depends on no byte after all is checked at the end
      levels_[static_cast<unsigned>(std::bit_width(mask)) - 1]->constraints.push_back(c.term);
    else
      levels_[n - 1]->constraints.push_back(c.term);
  }

  std::vector<ExprPtr> stack;
  for (unsigned at = 0; at < n; ++at) {
    Level &level = *levels_[at];
    level.ownTerms.clear();
    level.beforeTerms.clear();
    level.beforeBytes.clear();
    level.readsOwnByte = false;
    const uint32_t own = uint32_t(1) << at;
    uint32_t bytesBefore = 0;
    auto readByte = [&](uint32_t mask) {
      if (mask & own) level.readsOwnByte = true;
      bytesBefore |= mask & ~own;
    };
    auto isByte = [&](ExprPtr e) {
      return e->kind() == Kind::Read && e->op(0)->kind() == Kind::SymbolArray &&
             e->op(1)->isConst();
    };
    expr::TermVisitor seen;
    for (ExprPtr c : level.constraints)
      if (seen.first(c)) stack.push_back(c);
    while (!stack.empty()) {
      ExprPtr e = stack.back();
      stack.pop_back();
      const uint32_t mask = maskOf(e);
      if (mask == 0 && !e->isArray()) continue;
      if (isByte(e)) {
        readByte(mask);
        continue;
      }
      if (!e->isArray() && mask == own && at > 0) {
        level.ownTerms.push_back(e);
        continue;
      }
      if (!e->isArray() && !(mask & own)) {
        level.beforeTerms.push_back(e);
        continue;
      }
      if (e->kind() == Kind::Read) readByte(bytesRead(e));
      for (unsigned i = 0; i < e->numOps(); ++i)
        if (seen.first(e->op(i))) stack.push_back(e->op(i));
    }
    for (unsigned b = 0; b < at; ++b)
      if (bytesBefore >> b & 1) level.beforeBytes.push_back(b);
  }
}

// --- one level
// ----------------------------------------------------------------------------------------------------------

bool DomainSearch::compile(Level &level) {
  level.compiled = true;
  const auto byteAt = [&](unsigned at) {
    const SearchByte &b = bytes_[levels_[at]->byte];
    return BatchEvaluator::Input{b.symbol, b.index};
  };
  const auto size = static_cast<unsigned>(level.domain.size());
  level.parentsAtOnce = std::max(1u, kLanes / size);

  const BatchEvaluator::Input ownByte = byteAt(level.number);
  if (!level.own.compile(std::span(&ownByte, 1), level.ownTerms, !allGiven_)) return false;
  std::copy(level.domain.begin(), level.domain.end(), level.own.input<uint8_t>(0));
  level.own.run(size);

  std::vector<BatchEvaluator::Input> inputs;
  for (unsigned b = 0; b < level.number; ++b) inputs.push_back(byteAt(b));
  if (!level.before.compile(inputs, level.beforeTerms, !allGiven_)) return false;

  inputs.clear();
  if (level.readsOwnByte) inputs.push_back(ownByte);
  for (size_t i = 0; i < level.ownTerms.size(); ++i)
    inputs.push_back(
        {.term = level.ownTerms[i], .mayBeUnknown = level.own.rootUnknown(i) != nullptr});
  level.numOwnInputs = static_cast<unsigned>(inputs.size());
  for (unsigned b : level.beforeBytes) inputs.push_back(byteAt(b));
  for (size_t i = 0; i < level.beforeTerms.size(); ++i)
    inputs.push_back(
        {.term = level.beforeTerms[i], .mayBeUnknown = level.before.rootUnknown(i) != nullptr});
  if (!level.check.compile(inputs, level.constraints, !allGiven_)) return false;
  spent_ += kCompileCost * (level.own.numInstructions() + level.before.numInstructions() +
                            level.check.numInstructions());
  level.spreadCost = 0;
  for (size_t i = level.numOwnInputs; i < inputs.size(); ++i)
    level.spreadCost += expr::laneBytes(inputs[i].lanes());

  // The values of the domain, as often as there are parents at once; they stay there.
  unsigned at = 0;
  if (level.readsOwnByte) level.repeatDomain(level.check.inputBytes(at++), level.domain.data(), 1);
  for (size_t i = 0; i < level.ownTerms.size(); ++i, ++at) {
    level.repeatDomain(level.check.inputBytes(at), level.own.rootBytes(i),
                       expr::laneBytes(inputs[at].lanes()));
    if (const uint8_t *unknown = level.own.rootUnknown(i))
      level.repeatDomain(level.check.inputUnknown(at), unknown, 1);
  }
  return true;
}

void DomainSearch::Level::repeatDomain(void *to, const void *from, size_t elementSize) const {
  const size_t size = domain.size() * elementSize;
  for (unsigned copy = 0; copy < parentsAtOnce; ++copy)
    std::memcpy(static_cast<char *>(to) + copy * size, from, size);
}

template <typename T> static void repeat(T *to, const T *from, unsigned count, unsigned times) {
  for (unsigned p = 0; p < count; ++p, to += times) std::fill_n(to, times, from[p]);
}

/// The values of parents [first, first + count), each for the whole domain.
void DomainSearch::Level::spread(const Tuples &parents, unsigned first, unsigned count) {
  const auto size = static_cast<unsigned>(domain.size());
  unsigned at = numOwnInputs;
  for (unsigned b : beforeBytes)
    repeat(check.input<uint8_t>(at++), &parents.values[b][first], count, size);
  for (size_t i = 0; i < beforeTerms.size(); ++i, ++at) {
    expr::withLaneType(check.inputLanes(at), [&](auto type) {
      using T = decltype(type);
      repeat(check.input<T>(at), before.root<T>(i) + first, count, size);
    });
    if (const uint8_t *unknown = before.rootUnknown(i))
      repeat(check.inputUnknown(at), unknown + first, count, size);
  }
}

/// Sets alive to 1 in the lanes in which all constraints hold or may hold, 0 elsewhere; adds to
/// open those in which it is unknown.
bool DomainSearch::Level::holdsSomewhere(unsigned lanes, LaneBytes &alive, LaneBytes &open,
                                         uint64_t &spent) {
  std::fill_n(alive.begin(), lanes, 1);
  std::fill(alive.begin() + lanes, alive.end(), 0);
  const uint64_t weight = std::max(lanes, kMinLanes);
  for (size_t r = 0; r < constraints.size(); ++r) {
    check.runRoot(r, lanes);
    spent += check.rootCost(r) * weight;
    const uint8_t *holds = check.root<uint8_t>(r);
    uint8_t any = 0;
    if (const uint8_t *unknown = check.rootUnknown(r)) {
      for (unsigned l = 0; l < kLanes; ++l) {
        open[l] |= unknown[l];
        any |= alive[l] &= static_cast<uint8_t>(holds[l] | unknown[l]);
      }
    } else {
      for (unsigned l = 0; l < kLanes; ++l) any |= alive[l] &= holds[l];
    }
    if (!any) return false;
  }
  return true;
}

// --- search
// ------------------------------------------------------------------------------------------------------------

bool DomainSearch::mustEnd() {
  if (spent_ > budget_) return true;
  if (spent_ < nextLook_) return false;
  nextLook_ = spent_ + kBetweenLooks;
  tellSpent();
  return deadline_.passed();
}

void DomainSearch::tellSpent() {
  Clock::spend(StepKind::LaneUnit, (spent_ - told_) / 1000);
  told_ = spent_;
}

DomainSearch::Result DomainSearch::extend(unsigned at, const Tuples &parents) {
  if (at == bytes_.size()) {
    const auto end = parents.open.begin() + parents.count;
    const auto closed = std::find(parents.open.begin(), end, 0);
    const auto found = closed == end ? 0 : static_cast<size_t>(closed - parents.open.begin());
    for (unsigned i = 0; i < at; ++i) bytes_[levels_[i]->byte].value = parents.values[i][found];
    return closed == end ? Result::Open : Result::Sat;
  }
  Level &level = *levels_[at];
  if (!level.compiled && (deadline_.passed() || !compile(level))) return Result::GaveUp;
  for (unsigned b = 0; b < at; ++b)
    std::copy_n(parents.values[b].begin(), parents.count, level.before.input<uint8_t>(b));
  level.before.run(parents.count);
  spent_ += level.before.cost() * std::max(parents.count, kMinLanes);

  Tuples &next = level.survivors;
  next.values.resize(at + 1);
  next.count = 0;
  const auto size = static_cast<unsigned>(level.domain.size());
  const unsigned enough = at + 1 == bytes_.size() ? 1 : kEnough;
  LaneBytes alive, open{};
  for (unsigned first = 0; first < parents.count; first += level.parentsAtOnce) {
    if (mustEnd()) return Result::GaveUp;
    const unsigned count = std::min(level.parentsAtOnce, parents.count - first);
    const unsigned lanes = count * size;
    level.spread(parents, first, count);
    spent_ += level.spreadCost * std::max(lanes, kMinLanes);
    repeat(open.data(), &parents.open[first], count, size);
    const bool some = level.holdsSomewhere(lanes, alive, open, spent_);
    for (unsigned l = 0; some && l < lanes; ++l) {
      if (!alive[l]) continue;
      for (unsigned b = 0; b < at; ++b)
        next.values[b][next.count] = parents.values[b][first + l / size];
      next.values[at][next.count] = level.domain[l % size];
      next.open[next.count] = open[l];
      if (++next.count == kLanes) {
        if (Result r = extend(at + 1, next); r != Result::Unsat) return r;
        next.count = 0;
      }
    }
    const bool isLast = first + level.parentsAtOnce >= parents.count;
    if (next.count >= enough || (next.count && isLast)) {
      if (Result r = extend(at + 1, next); r != Result::Unsat) return r;
      next.count = 0;
    }
  }
  return Result::Unsat;
}

DomainSearch::Result DomainSearch::run(std::span<SearchByte> bytes,
                                       std::span<const SearchConstraint> constraints,
                                       uint64_t budget, bool allGiven, const Deadline &deadline) {
  assert(!bytes.empty() && bytes.size() <= kMaxBytes && "not for this search");
  bytes_ = bytes;
  budget_ = budget;
  spent_ = nextLook_ = told_ = 0;
  deadline_ = deadline;
  allGiven_ = allGiven;
  order(constraints);
  divide(constraints);
  static const Tuples kNothing{.count = 1, .values = {}, .open = {}};
  const Result result = extend(0, kNothing);
  tellSpent();
  return result;
}

} // namespace fathom::solver
