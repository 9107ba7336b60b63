// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as people read them, the same in everything that is printed.
#ifndef FATHOM_SUPPORT_NUMBERTEXT_H
#define FATHOM_SUPPORT_NUMBERTEXT_H

#include <cmath>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace fathom {

/// 1234567.8 -> "1,234,568"; what is below 10 and not whole, with one digit after the point.
inline std::string grouped(double number) {
  if (std::fabs(number) < 9.95 && number != std::floor(number))
    return fmt::format("{:.1f}", number);
  if (std::fabs(number) >= 1e15) return fmt::format("{:.3g}", number);
  std::string digits = fmt::format("{:.0f}", std::fabs(number)), out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return number < 0 && out != "0" ? "-" + out : out;
}

/// "1 bug", "2 bugs", "12,345 bugs".
inline std::string counted(uint64_t number, const std::string &noun) {
  return grouped(static_cast<double>(number)) + " " + noun + (number == 1 ? "" : "s");
}

/// The same without commas, where other programs read the text too: "1 byte", "4096 bytes".
inline std::string plainCount(uint64_t number, const std::string &noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// The ends of a range, both with a digit after the point or both without: "5.0 to 7.3", "5 to
/// 123".
inline std::string rangeText(double lower, double upper) {
  auto needsPoint = [](double n) { return std::fabs(n) < 9.95 && n != std::floor(n); };
  const bool point = needsPoint(lower) || needsPoint(upper);
  auto text = [&](double n) {
    return point && std::fabs(n) < 9.95 ? fmt::format("{:.1f}", n) : grouped(n);
  };
  return text(lower) + " to " + text(upper);
}

} // namespace fathom
#endif
