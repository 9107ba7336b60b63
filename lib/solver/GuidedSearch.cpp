// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/GuidedSearch.h"

#include "expr/TermVisitor.h"
#include "solver/Inversion.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fathom::solver {

using expr::Kind;
using expr::RowLayout;

// --- constraints by themselves
// ----------------------------------------------------------------------------------

namespace {

/// Byte strings in the input of an operation, and the places in it that are bytes of the row.
void analyseInput(const RowLayout::Application &application, const RowLayout &layout,
                  SearchClause &out) {
  constexpr size_t kMaxToken = 64;
  std::vector<uint32_t> rowByte(application.input.size(), RowLayout::kNone);
  std::vector<bool> isConstant(application.input.size(), true);
  for (auto [place, term] : application.variables) {
    isConstant[place] = false;
    if (auto run = layout.run(term); run && run->bytes == 1) rowByte[place] = run->offset;
  }
  std::vector<uint8_t> token;
  std::vector<uint32_t> place;
  for (size_t i = 0; i <= application.input.size(); ++i) {
    const bool isIn = i < application.input.size();
    if (isIn && isConstant[i] && application.input[i] && token.size() < kMaxToken) {
      token.push_back(application.input[i]);
    } else if (!token.empty()) {
      out.tokens.push_back(std::move(token));
      token.clear();
    }
    if (isIn && rowByte[i] != RowLayout::kNone) {
      place.push_back(rowByte[i]);
    } else if (!place.empty()) {
      out.places.push_back(std::move(place));
      place.clear();
    }
  }
}

template <typename T> void sortUnique(std::vector<T> &v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

} // namespace

SearchClause analyseClause(ExprPtr constraint, const RowLayout &layout) {
  SearchClause clause{constraint, {}, {}, {}, {}, {}};
  expr::TermVisitor visitor;
  std::vector<ExprPtr> stack{constraint};
  visitor.first(constraint);
  while (!stack.empty()) {
    ExprPtr e = stack.back();
    stack.pop_back();
    if (e->isConst()) {
      if (e->width() >= 8 && e->width() <= 64) clause.constants.push_back(e->value());
      continue;
    }
    if (auto run = layout.run(e)) {
      for (uint32_t i = 0; i < run->bytes; ++i) clause.bytes.push_back(run->offset + i);
      if (run->bytes > 1) {
        clause.words.push_back(*run);
        continue;
      }
    } else if (e->kind() == Kind::Read) {
      ExprPtr array = e->op(0);
      while (array->kind() == Kind::Store) array = array->op(0);
      const RowLayout::Symbol *symbol = layout.symbol(array);
      if (symbol && symbol->isWhole && !e->op(1)->isConst())
        for (uint32_t i = 0; i < array->array().sizeBytes; ++i)
          clause.bytes.push_back(symbol->offset + i);
      else if (symbol && e->op(1)->isConst())
        if (uint32_t at = layout.find(array, e->op(1)->value()); at != RowLayout::kNone)
          clause.bytes.push_back(at);
    } else if (const auto *application = layout.application(e)) {
      analyseInput(*application, layout, clause);
    }
    for (unsigned i = 0; i < e->numOps(); ++i)
      if (visitor.first(e->op(i))) stack.push_back(e->op(i));
  }
  sortUnique(clause.bytes);
  sortUnique(clause.constants);
  sortUnique(clause.tokens);
  return clause;
}

// --- words of a row
// ---------------------------------------------------------------------------------------------

static uint64_t wordOf(const uint8_t *row, RowLayout::Run run) {
  uint64_t v = 0;
  std::memcpy(&v, row + run.offset, std::min(run.bytes, 8u));
  return v;
}
static void setWord(uint8_t *row, RowLayout::Run run, uint64_t v) {
  std::memcpy(row + run.offset, &v, std::min(run.bytes, 8u));
}

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
  bool all = true;
  for (size_t i = 0; i < clauses_.size(); ++i) {
    distances_[i] = evaluator_.isTrue(clauses_[i].term) ? 0 : 1;
    all &= !distances_[i];
  }
  score_ = score(distances_.data());
  return all;
}

bool GuidedSearch::quick(std::span<const Row> rows, unsigned rounds) {
  Row best;
  uint64_t bestScore = ~uint64_t(0);
  for (const Row &row : rows) {
    if (adopt(row)) return true;
    if (score_ < bestScore) best = row, bestScore = score_;
  }
  if (best.empty()) return false;
  adopt(best);
  for (unsigned round = 0; round < rounds; ++round) {
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

// --- changes
// ----------------------------------------------------------------------------------------------------

uint8_t *GuidedSearch::nextRow() {
  if (inBatch_ == batchEnd_) return nullptr;
  uint8_t *row = batch_.data() + inBatch_++ * layout_.rowBytes();
  std::memcpy(row, current_.data(), layout_.rowBytes());
  return row;
}

void GuidedSearch::addInversions(const SearchClause &clause, size_t room) {
  if (!modelIsCurrent_) {
    model_ = layout_.model(current_, {});
    evaluator_.setModel(model_, ++version_);
    modelIsCurrent_ = true;
  }
  Inversion inversion(layout_, evaluator_, rng_);
  for (size_t n = 0; n < room; ++n) {
    uint8_t *row = nextRow();
    if (!row) return;
    if (!inversion.make(clause.term, llvm::APInt(1, 1), row) &&
        !std::memcmp(row, current_.data(), layout_.size()))
      --inBatch_;
  }
}

void GuidedSearch::addByteSweep(const SearchClause &clause) {
  const uint32_t at = any(clause.bytes);
  const uint8_t from = static_cast<uint8_t>(rng_.next());
  for (unsigned n = 0; n < 256; ++n) {
    uint8_t *row = nextRow();
    if (!row) return;
    row[at] = static_cast<uint8_t>(from + n);
  }
}

void GuidedSearch::addWordSweep(const SearchClause &clause) {
  const RowLayout::Run word = any(clause.words);
  const uint64_t now = wordOf(current_.data(), word);
  for (unsigned bit = 0; bit < 8 * std::min(word.bytes, 8u); ++bit)
    for (uint64_t v : {now + (uint64_t(1) << bit), now - (uint64_t(1) << bit)}) {
      uint8_t *row = nextRow();
      if (!row) return;
      setWord(row, word, v);
    }
}

/// A part of a byte string, with a zero behind it or not, somewhere in an argument; or an argument
/// written over another.
void GuidedSearch::addTokens(const SearchClause &clause, size_t room) {
  for (size_t n = 0; n < room; ++n) {
    uint8_t *row = nextRow();
    if (!row) return;
    const std::vector<uint32_t> &to = any(clause.places);
    const auto places = static_cast<uint32_t>(to.size());
    const uint32_t start = rng_.flip() ? 0 : rng_.below(places);
    if (clause.tokens.empty() || (clause.places.size() > 1 && rng_.below(3) == 0)) {
      const std::vector<uint32_t> &from = any(clause.places);
      for (uint32_t i = 0; start + i < places && i < from.size(); ++i)
        row[to[start + i]] = current_[from[i]];
      continue;
    }
    const std::vector<uint8_t> &token = any(clause.tokens);
    const auto length = static_cast<uint32_t>(token.size());
    const uint32_t first = rng_.below(3) ? 0 : rng_.below(length);
    const uint32_t count = rng_.below(3) ? length - first : 1 + rng_.below(length - first);
    for (uint32_t i = 0; i < count && start + i < places; ++i)
      row[to[start + i]] = token[first + i];
    if (start + count < places && rng_.below(3)) row[to[start + count]] = 0;
  }
}

void GuidedSearch::addSteps() {
  for (const Step &step : steps_)
    for (uint64_t delta :
         {step.delta, step.delta * 2, step.delta * 8, step.delta / 2, 0 - step.delta})
      if (uint8_t *row = nextRow()) setWord(row, step.word, wordOf(row, step.word) + delta);
}

void GuidedSearch::mutate(const SearchClause &clause, uint8_t *row) {
  const bool hasWords = !clause.words.empty();
  switch (rng_.below(hasWords ? 12 : 7)) {
  case 0: row[any(clause.bytes)] = static_cast<uint8_t>(rng_.next()); return;
  case 1: row[any(clause.bytes)] ^= static_cast<uint8_t>(1u << rng_.below(8)); return;
  case 2: row[any(clause.bytes)] += static_cast<uint8_t>(1 + rng_.below(16)); return;
  case 3: row[any(clause.bytes)] -= static_cast<uint8_t>(1 + rng_.below(16)); return;
  case 4:
    row[any(clause.bytes)] =
        clause.constants.empty() ? uint8_t(0) : static_cast<uint8_t>(any(clause.constants));
    return;
  case 5: row[any(clause.bytes)] = row[any(clause.bytes)]; return;
  case 6: { // as another good assignment has them
    if (pool_.empty()) return;
    const Row &other = any(pool_);
    for (uint32_t at : clause.bytes)
      if (rng_.flip()) row[at] = other[at];
    return;
  }
  default: break;
  }
  const RowLayout::Run word = any(clause.words);
  const uint64_t now = wordOf(row, word);
  auto real = [&](auto change) { // as a floating-point number
    if (word.bytes == 8)
      setWord(row, word, std::bit_cast<uint64_t>(change(std::bit_cast<double>(now))));
    else if (word.bytes == 4)
      setWord(row, word,
              std::bit_cast<uint32_t>(
                  static_cast<float>(change(std::bit_cast<float>(static_cast<uint32_t>(now))))));
  };
  switch (rng_.below(7)) {
  case 0: return setWord(row, word, now + 1 + rng_.below(32));
  case 1: return setWord(row, word, now - 1 - rng_.below(32));
  case 2: return setWord(row, word, 0 - now);
  case 3:
    return setWord(row, word,
                   clause.constants.empty() ? rng_.below(256)
                                            : any(clause.constants) + rng_.below(3) - 1);
  case 4: return setWord(row, word, uint64_t(rng_.next()) >> rng_.below(32));
  case 5: {
    const double by = 1 + 1.0 / (uint64_t(1) << rng_.below(50));
    const bool more = rng_.flip();
    return real([&](auto x) { return more ? x * by : x / by; });
  }
  default: {
    const int n = static_cast<int>(rng_.below(2001)) - 1000;
    const bool add = rng_.flip();
    return real([&](auto x) { return add ? x + n / 8.0 : static_cast<double>(n); });
  }
  }
}

void GuidedSearch::addHavoc(const SearchClause &clause, size_t room) {
  for (size_t n = 0; n < room; ++n) {
    uint8_t *row = nextRow();
    if (!row) return;
    for (unsigned changes = 1 + rng_.below(4); changes > 0; --changes) mutate(clause, row);
  }
}

unsigned GuidedSearch::breadth() const { return std::clamp(stale_, 1u, maxBreadth_); }

void GuidedSearch::propose(const SearchClause &clause) {
  batchEnd_ = inBatch_ + kBatch;
  addSteps();
  if (!clause.places.empty() && rng_.below(2)) addTokens(clause, kBatch / 2);
  switch (rng_.below(5)) {
  case 0: addByteSweep(clause); break;
  case 1:
  case 2:
    if (!clause.words.empty()) addWordSweep(clause);
    break;
  case 3: addInversions(clause, 24); break;
  default: addInversions(clause, 4); break;
  }
  addHavoc(clause, kBatch);
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

bool GuidedSearch::assessBatch(RowAssessor &assessor) {
  constexpr unsigned kPatience = 12, kDespair = 80;
  const size_t bytes = layout_.rowBytes(), n = clauses_.size();
  assessor.assess(batch_.data(), inBatch_, batchDistances_.data());
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

bool GuidedSearch::findInBatch(RowAssessor &assessor) {
  const size_t n = clauses_.size();
  assessor.assess(batch_.data(), inBatch_, batchDistances_.data());
  evaluations_ += inBatch_;
  for (size_t i = 0; i < inBatch_; ++i) {
    const auto first = batchDistances_.begin() + static_cast<ptrdiff_t>(i * n);
    if (!std::all_of(first, first + static_cast<ptrdiff_t>(n), [](uint64_t d) { return !d; }))
      continue;
    std::memcpy(current_.data(), &batch_[i * layout_.rowBytes()], layout_.rowBytes());
    return true;
  }
  return false;
}

GuidedSearch::Enumerated GuidedSearch::enumerate(RowAssessor &assessor, uint64_t evaluations,
                                                 Clock::time_point deadline) {
  constexpr size_t kMaxBytes = 32;
  constexpr uint64_t kMaxRows = 1 << 16;
  if (layout_.size() > kMaxBytes) return Enumerated::TooMany;
  // What each byte can be, and which of them constraints put together.
  std::vector<std::vector<uint8_t>> domains(layout_.size());
  std::vector<bool> isJoint(layout_.size(), false);
  for (uint32_t at = 0; at < layout_.size(); ++at) {
    std::vector<size_t> alone;
    for (size_t c = 0; c < clauses_.size(); ++c) {
      const std::vector<uint32_t> &bytes = clauses_[c].bytes;
      if (bytes.size() == 1 && bytes[0] == at) alone.push_back(c);
      if (bytes.size() > 1 && std::binary_search(bytes.begin(), bytes.end(), at))
        isJoint[at] = true;
    }
    for (unsigned from = 0; from < 256; from += kBatch) {
      inBatch_ = 0;
      batchEnd_ = kBatch;
      for (unsigned v = from; v < from + kBatch; ++v) nextRow()[at] = static_cast<uint8_t>(v);
      if (findInBatch(assessor)) return Enumerated::Found;
      for (unsigned i = 0; i < kBatch; ++i)
        if (std::all_of(alone.begin(), alone.end(),
                        [&](size_t c) { return !batchDistances_[i * clauses_.size() + c]; }))
          domains[at].push_back(static_cast<uint8_t>(from + i));
    }
    if (domains[at].empty()) return Enumerated::Nothing;
  }
  const uint64_t most = std::min(kMaxRows, evaluations);
  uint64_t rows = 1;
  std::vector<uint32_t> places;
  Row row = current_;
  for (uint32_t at = 0; at < layout_.size(); ++at) {
    const std::vector<uint8_t> &domain = domains[at];
    if (!std::binary_search(domain.begin(), domain.end(), row[at])) row[at] = domain[0];
    if (!isJoint[at] || domain.size() == 1) continue;
    places.push_back(at);
    rows *= domain.size();
    if (rows > most) return Enumerated::TooMany;
  }
  std::vector<size_t> digits(places.size(), 0);
  for (uint64_t done = 0; done < rows;) {
    batchEnd_ = maxBreadth_ * kBatch;
    for (inBatch_ = 0; inBatch_ < batchEnd_ && done < rows; ++done) {
      for (size_t i = 0; i < places.size(); ++i) row[places[i]] = domains[places[i]][digits[i]];
      std::memcpy(nextRow(), row.data(), layout_.rowBytes());
      for (size_t i = 0; i < places.size() && ++digits[i] == domains[places[i]].size(); ++i)
        digits[i] = 0;
    }
    if (findInBatch(assessor)) return Enumerated::Found;
    if (Clock::now() >= deadline) return Enumerated::TooMany;
  }
  return Enumerated::Nothing;
}

bool GuidedSearch::search(RowAssessor &assessor, std::span<const Row> seeds, uint64_t evaluations,
                          Clock::time_point deadline) {
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
  if (assessBatch(assessor)) return true;
  std::vector<size_t> violated;
  bool isNew = true;
  while (evaluations_ < end) {
    if (isNew && stale_ >= kSoon) {
      isNew = false;
      switch (enumerate(assessor, end - evaluations_, deadline)) {
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
    if (assessBatch(assessor)) return true;
    if (Clock::now() >= deadline) return false;
  }
  return false;
}

} // namespace fathom::solver
