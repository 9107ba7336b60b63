// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What GuidedSearch tries: the rows of a batch.
#include "solver/GuidedSearch.h"
#include "solver/Inversion.h"
#include "solver/RowWords.h"

#include <bit>
#include <cstring>

namespace fathom::solver {

using expr::RowLayout;

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

/// A part of a byte string, with a zero after it or not, somewhere in an argument; or an argument
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

} // namespace fathom::solver
