// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/OnlyFilter.h"

#include "run/Failure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fathom::run {

/// "a, b, c and 4 more"
static std::string someOf(const std::set<std::string> &all) {
  constexpr size_t kNamed = 16;
  const size_t named = std::min(all.size(), kNamed);
  std::string out = fmt::format(
      "{}", fmt::join(all.begin(), std::next(all.begin(), static_cast<ptrdiff_t>(named)), ", "));
  return all.size() > named ? out + fmt::format(" and {} more", all.size() - named) : out;
}

bool OnlyFilter::fits(const std::string &rule, std::span<const FileLine> places) {
  if (only_.empty()) return true;
  bool isChosen = false;
  for (size_t i = 0; i < only_.size(); ++i) {
    const std::string &only = only_[i];
    const std::string file = only.substr(0, only.rfind(':'));
    const bool isPlace = file != only && !file.empty();
    const auto isThere = [&](const FileLine &at) {
      return fmt::format("{}:{}", at.file, at.line).ends_with(only);
    };
    const bool fits = rule == only || places.front().file.find(only) != std::string::npos ||
                      (isPlace && std::ranges::any_of(places, isThere));
    isUsed_[i] = isUsed_[i] || fits;
    isChosen |= fits;
    if (isPlace && places.front().file.ends_with(file))
      places_[i].insert(fmt::format("{}:{}", file, places.front().line));
  }
  rules_.insert(rule.empty() ? "(none)" : rule);
  return isChosen;
}

llvm::Error OnlyFilter::checkUsed(Session &session) const {
  const bool isAnyUsed = std::ranges::find(isUsed_, true) != isUsed_.end();
  for (size_t i = 0; i < only_.size(); ++i) {
    if (isUsed_[i]) continue;
    if (rules_.empty()) {
      session.observer.warn(fmt::format("--only {}: there are no reports", only_[i]));
      continue;
    }
    const std::string text = fmt::format(
        "--only {}: no report has this rule, or this in the path of its file; {}", only_[i],
        places_[i].empty() ? "the rules are " + someOf(rules_)
                           : "in that file, there are " + someOf(places_[i]));
    if (!isAnyUsed) return usageError(text);
    session.observer.warn(text);
  }
  return llvm::Error::success();
}

} // namespace fathom::run
