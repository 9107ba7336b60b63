// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/FormatLength.h"

#include <algorithm>

namespace fathom::statics {

namespace {

class Format {
public:
  explicit Format(std::string_view text) : rest_(text) {}

  std::optional<OutputLength> length() {
    OutputLength sum;
    while (!rest_.empty()) {
      std::optional<OutputLength> one{{1, 1}};
      if (take() == '%') one = conversion();
      if (!one) return std::nullopt;
      sum.least += one->least;
      sum.most += one->most;
      if (sum.most > kMost) return std::nullopt;
    }
    return sum;
  }

private:
  static constexpr uint32_t kMost = 1 << 20; ///< what is longer counts as of any length

  char take() {
    if (rest_.empty()) return 0;
    const char first = rest_.front();
    rest_.remove_prefix(1);
    return first;
  }
  bool isOneOf(std::string_view characters) const {
    return !rest_.empty() && characters.find(rest_.front()) != std::string_view::npos;
  }
  bool takes(char c) {
    const bool isIt = rest_.starts_with(c);
    if (isIt) rest_.remove_prefix(1);
    return isIt;
  }
  uint32_t number() {
    uint32_t n = 0;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9')
      n = std::min(n * 10 + static_cast<uint32_t>(take() - '0'), kMost + 1);
    return n;
  }

  std::optional<OutputLength> conversion() {
    while (isOneOf("-+ #0'")) take();
    if (rest_.starts_with('*')) return std::nullopt;
    const uint32_t width = number();
    std::optional<uint32_t> precision;
    if (takes('.')) {
      if (rest_.starts_with('*')) return std::nullopt;
      precision = number();
    }
    bool isLong = false;
    while (isOneOf("hljzt")) isLong |= take() != 'h';
    std::optional<OutputLength> out = converted(take(), isLong, precision);
    if (out) *out = {std::max(width, out->least), std::max(width, out->most)};
    return out;
  }

  /// At most with a sign, or with the prefix of another base.
  static std::optional<OutputLength> converted(char conversion, bool isLong,
                                               std::optional<uint32_t> precision) {
    const auto digits = [&](uint32_t most, uint32_t before) {
      return OutputLength{precision.value_or(1), std::max(most, precision.value_or(0)) + before};
    };
    switch (conversion) {
    case '%': return OutputLength{1, 1};
    case 'c': return isLong ? std::nullopt : std::optional(OutputLength{1, 1});
    case 's': return precision ? std::optional(OutputLength{0, *precision}) : std::nullopt;
    case 'd':
    case 'i':
    case 'u': return digits(isLong ? 20 : 10, 1);
    case 'x':
    case 'X': return digits(isLong ? 16 : 8, 2);
    case 'o': return digits(isLong ? 22 : 11, 1);
    case 'p': return OutputLength{1, 18};
    default: return std::nullopt;
    }
  }

  std::string_view rest_;
};

} // namespace

std::optional<OutputLength> outputLength(std::string_view format) {
  return Format(format).length();
}

} // namespace fathom::statics
