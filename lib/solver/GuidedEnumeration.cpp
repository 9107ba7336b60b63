// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GuidedSearch's look at whether all that is left can be enumerated.
#include "solver/GuidedSearch.h"

#include <algorithm>
#include <cstring>

namespace fathom::solver {

/// The first byte of results says how the operation ended (ExternalOperation.h).
void GuidedSearch::noteFailures() {
  for (size_t i = 0; i < inBatch_ && !someFailed_; ++i)
    for (const auto &application : layout_.applications())
      someFailed_ |= batch_[i * layout_.rowBytes() + application.offset] != 0;
}

bool GuidedSearch::findInBatch(RowAssessor &assessor, const Deadline &deadline) {
  const size_t n = clauses_.size();
  if (!assessor.assess(batch_.data(), inBatch_, batchDistances_.data(), deadline)) return false;
  evaluations_ += inBatch_;
  noteFailures();
  for (size_t i = 0; i < inBatch_; ++i) {
    const auto first = batchDistances_.begin() + static_cast<ptrdiff_t>(i * n);
    if (!std::all_of(first, first + static_cast<ptrdiff_t>(n), [](uint64_t d) { return !d; }))
      continue;
    std::memcpy(current_.data(), &batch_[i * layout_.rowBytes()], layout_.rowBytes());
    return true;
  }
  return false;
}

/// At most as many rows as a search has, and as many again to see what each byte can be.
GuidedSearch::Enumerated GuidedSearch::enumerate(RowAssessor &assessor, uint64_t most,
                                                 const Deadline &deadline) {
  constexpr size_t kMaxBytes = 32;
  const uint64_t maxRows = std::min<uint64_t>(most, 1 << 16);
  if (layout_.size() > kMaxBytes || layout_.size() * 256 > most) return Enumerated::TooMany;
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
      if (findInBatch(assessor, deadline)) return Enumerated::Found;
      if (deadline.passed()) return Enumerated::TooMany;
      for (unsigned i = 0; i < kBatch; ++i)
        if (std::all_of(alone.begin(), alone.end(),
                        [&](size_t c) { return !batchDistances_[i * clauses_.size() + c]; }))
          domains[at].push_back(static_cast<uint8_t>(from + i));
    }
    if (domains[at].empty()) {
      exhausted_ = 256;
      return Enumerated::Nothing;
    }
  }
  uint64_t rows = 1;
  std::vector<uint32_t> places;
  Row row = current_;
  for (uint32_t at = 0; at < layout_.size(); ++at) {
    const std::vector<uint8_t> &domain = domains[at];
    if (!std::binary_search(domain.begin(), domain.end(), row[at])) row[at] = domain[0];
    if (!isJoint[at] || domain.size() == 1) continue;
    places.push_back(at);
    rows *= domain.size();
    if (rows > maxRows) return Enumerated::TooMany;
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
    if (findInBatch(assessor, deadline)) return Enumerated::Found;
    if (deadline.passed()) return Enumerated::TooMany;
  }
  exhausted_ = rows;
  return Enumerated::Nothing;
}

} // namespace fathom::solver
