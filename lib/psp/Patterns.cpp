// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Patterns.h"

#include <algorithm>
#include <optional>

namespace fathom::psp {

const char *textOf(PatternKind kind) {
  switch (kind) {
  case PatternKind::Range: return "range";
  case PatternKind::ErrorCodes: return "error-codes";
  case PatternKind::Odd: return "odd";
  case PatternKind::Even: return "even";
  case PatternKind::Modulo: return "modulo";
  case PatternKind::Periodic: return "periodic";
  case PatternKind::FileDescriptors: return "file-descriptors";
  }
  return "";
}

static int64_t drawBetween(int64_t lo, int64_t hi, Rng &rng) {
  return lo + rng.below(static_cast<uint32_t>(hi - lo + 1));
}

namespace {

/// Fills in Pattern::belongs. Positions are 0 to 2 reach; the pattern's own zero lies at `zero_`.
class Drawer {
public:
  Drawer(Pattern &pattern, Rng &rng)
      : pattern_(pattern), rng_(rng), size_(static_cast<int64_t>(pattern.belongs.size())),
        zero_(drawBetween(0, size_ - 1, rng)) {}

  void draw() {
    switch (pattern_.kind) {
    case PatternKind::Range: return range();
    case PatternKind::ErrorCodes: return errorCodes();
    case PatternKind::Odd: return residues(2, 0b10);
    case PatternKind::Even: return residues(2, 0b01);
    case PatternKind::Modulo: {
      const uint32_t modulus = 3 + rng_.below(8);
      return residues(modulus, 1u << rng_.below(modulus));
    }
    case PatternKind::Periodic: {
      const uint32_t period = 3 + rng_.below(7);
      // Neither nothing nor everything.
      return residues(period, 1 + rng_.below((1u << period) - 2));
    }
    case PatternKind::FileDescriptors: return fileDescriptors();
    }
  }

private:
  void put(int64_t value) {
    const int64_t at = value + zero_;
    if (at >= 0 && at < size_) pattern_.belongs[static_cast<size_t>(at)] = 1;
  }
  void range() {
    const int64_t length = drawBetween(1, size_, rng_), from = -zero_ + drawBetween(0, size_, rng_);
    for (int64_t i = 0; i < length; ++i) put(from + i);
  }
  void errorCodes() {
    const int64_t codes = drawBetween(2, 8, rng_);
    put(0);
    for (int64_t i = 1; i < codes; ++i) {
      const int64_t magnitude = drawBetween(1, 4 + 3 * i, rng_);
      put(rng_.below(4) ? -magnitude : magnitude);
    }
  }
  void residues(uint32_t modulus, uint32_t members) {
    int64_t lo = 0, hi = size_ - 1;
    if (rng_.below(3) == 0) lo = drawBetween(0, size_ - 1, rng_);
    if (rng_.below(3) == 0) hi = drawBetween(lo, size_ - 1, rng_);
    for (int64_t at = lo; at <= hi; ++at) {
      const int64_t residue = ((at - zero_) % modulus + modulus) % modulus;
      if (members >> residue & 1) pattern_.belongs[static_cast<size_t>(at)] = 1;
    }
  }
  void fileDescriptors() {
    const int64_t most = drawBetween(2, 24, rng_);
    for (int64_t fd = 0; fd <= most; ++fd)
      if (fd < 3 || rng_.below(12)) put(fd);
  }

  Pattern &pattern_;
  Rng &rng_;
  int64_t size_, zero_;
};

} // namespace

Pattern drawPattern(PatternKind kind, int64_t reach, Rng &rng) {
  Pattern out;
  out.kind = kind;
  out.reach = reach;
  out.belongs.assign(static_cast<size_t>(2 * reach + 1), 0);
  out.seen = out.belongs;
  Drawer(out, rng).draw();
  const uint32_t share = 60 + rng.below(41); // of 100
  for (size_t i = 0; i < out.belongs.size(); ++i)
    out.seen[i] = out.belongs[i] && rng.below(100) < share;
  return out;
}

/// The window around position `at`; absent when nothing was seen in it.
static std::optional<Ternary> windowAt(const Pattern &pattern, int64_t at, int64_t k) {
  std::vector<int64_t> seen;
  const auto size = static_cast<int64_t>(pattern.seen.size());
  for (int64_t i = std::max<int64_t>(0, at - k); i < std::min(size, at + k + 1); ++i)
    if (pattern.seen[static_cast<size_t>(i)]) seen.push_back(i);
  if (seen.empty()) return std::nullopt;
  return ternaryVector(seen, at, k);
}

std::vector<Example> drawExamples(size_t count, int64_t k, Rng &rng) {
  std::vector<Example> out;
  for (unsigned turn = 0; out.size() < count; ++turn) {
    const auto kind = static_cast<PatternKind>(turn / 2 % kPatternKinds);
    const Pattern pattern = drawPattern(kind, 2 * k, rng);
    const bool wanted = turn % 2;
    std::vector<int64_t> places;
    for (int64_t at = k; at <= 3 * k; ++at) // with a whole window
      if (!pattern.seen[static_cast<size_t>(at)] &&
          pattern.belongs[static_cast<size_t>(at)] == wanted)
        places.push_back(at);
    if (places.empty()) continue;
    const int64_t at = places[rng.below(static_cast<uint32_t>(places.size()))];
    if (std::optional<Ternary> vector = windowAt(pattern, at, k))
      out.push_back({std::move(*vector), wanted, kind});
  }
  return out;
}

} // namespace fathom::psp
