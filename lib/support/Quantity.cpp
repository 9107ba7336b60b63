// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace fathom {

/// The number at the start of text; `unit` is what follows it.
static bool splitNumber(const std::string &text, double &number, std::string &unit) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  unit = std::string(end, text.data() + text.size());
  return error == std::errc() && number >= 0;
}

/// In milliseconds; 0: it is none.
static double lengthOf(const std::string &unit) {
  return unit == "ms" ? 1 : unit == "s" ? 1e3 : unit == "m" ? 60e3 : unit == "h" ? 3600e3 : 0;
}

std::optional<std::chrono::milliseconds> durationFrom(const std::string &text) {
  const std::string all = text.find_first_not_of("0123456789.") == text.npos ? text + "s" : text;
  double sum = 0, last = INFINITY; // 1h30m: each unit is smaller than the one before it
  bool fine = !text.empty();
  for (size_t at = 0; fine && at < all.size();) {
    const size_t unitAt = std::min(all.find_first_not_of("0123456789.", at), all.size()),
                 end = std::min(all.find_first_of("0123456789.", unitAt), all.size());
    double number = 0;
    std::string rest;
    fine = splitNumber(all.substr(at, unitAt - at), number, rest) && rest.empty();
    const double length = lengthOf(all.substr(unitAt, end - unitAt));
    fine = fine && length > 0 && length < last;
    sum += number * length;
    last = length;
    at = end;
  }
  if (!fine || sum < 1 || sum > 1e12) return std::nullopt;
  return std::chrono::milliseconds(static_cast<int64_t>(sum));
}

std::optional<uint64_t> sizeFrom(const std::string &text) {
  double number = 0;
  std::string unit;
  bool fine = splitNumber(text, number, unit);
  static const std::pair<const char *, int> kUnits[] = {
      {"", 0},    {"B", 0},  {"k", 10},  {"K", 10}, {"KB", 10}, {"M", 20},
      {"MB", 20}, {"G", 30}, {"GB", 30}, {"T", 40}, {"TB", 40}};
  int shift = -1;
  for (auto &[name, bits] : kUnits)
    if (unit == name) shift = bits;
  double bytes = shift < 0 ? 0 : number * static_cast<double>(uint64_t(1) << shift);
  if (!fine || bytes < 1 || bytes > 1e18) return std::nullopt;
  return static_cast<uint64_t>(bytes);
}

} // namespace fathom
