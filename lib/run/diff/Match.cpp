// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/diff/Match.h"

#include "confirm/ReportIdentity.h"
#include "support/NameTable.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <tuple>

namespace fathom::run {

constexpr auto kMatchNames = nameTable<MatchedBy>({{"fingerprint", MatchedBy::Fingerprint},
                                                   {"renamed", MatchedBy::Code},
                                                   {"path", MatchedBy::Place},
                                                   {"edited", MatchedBy::Words},
                                                   {"input", MatchedBy::Input}});

const char *name(MatchedBy by) { return kMatchNames.nameOf(by).data(); }

static std::string baseOf(const std::string &file) { return llvm::sys::path::filename(file).str(); }

namespace {

class Matcher {
public:
  Matcher(const ResultSet &before, const ResultSet &after)
      : before_(before), after_(after), isPaired_{std::vector<bool>(before.results.size()),
                                                  std::vector<bool>(after.results.size())} {}

  std::vector<Match> run() {
    pair(MatchedBy::Fingerprint, [](const KnownResult &r) { return r.identity.id; });
    for (const std::string &print : printNames())
      pair(MatchedBy::Fingerprint, [&](const KnownResult &r) {
        const auto known = r.prints.find(print);
        return known == r.prints.end() ? "" : known->second;
      });
    pair(MatchedBy::Code, [](const KnownResult &r) {
      const report::Identity &i = r.identity;
      return i.place.empty() || i.code.empty() ? "" : i.place + i.code;
    });
    pair(MatchedBy::Place, [](const KnownResult &r) {
      return r.identity.place.empty() || r.function.empty()
                 ? ""
                 : fmt::format("{}\n{}", r.identity.place, r.function);
    });
    pair(MatchedBy::Words, [](const KnownResult &r) {
      // Of a bug, v2 is the kind and all functions of its stack.
      if (const auto v2 = r.prints.find(kStack); v2 != r.prints.end()) return v2->second;
      return fmt::format("{}\n{}\n{}\n{}", r.rule, baseOf(r.file), r.function,
                         confirm::withoutNumbers(r.message));
    });
    std::ranges::sort(out_, {}, &Match::after);
    return std::move(out_);
  }

private:
  static constexpr const char *kStack = "fathomStack/v2";

  /// Of the analysers. A stack without lines says less than what comes in between.
  std::vector<std::string> printNames() const {
    std::map<std::string, int> names;
    for (const KnownResult &result : after_.results)
      for (const auto &[name, print] : result.prints)
        if (name != kStack) names[name]++;
    std::vector<std::string> out;
    for (const auto &[name, count] : names) out.push_back(name);
    return out;
  }

  /// Pairs what has the same key and is not paired yet; "" is no key.
  void pair(MatchedBy by, const std::function<std::string(const KnownResult &)> &key) {
    std::map<std::pair<std::string, std::string>,
             std::pair<std::vector<size_t>, std::vector<size_t>>>
        groups;
    const auto add = [&](const ResultSet &set, bool isAfter) {
      for (size_t i = 0; i < set.results.size(); ++i) {
        if (isPaired_[isAfter][i]) continue;
        const std::string k = key(set.results[i]);
        if (k.empty()) continue;
        auto &group = groups[{set.analyses[set.results[i].analysis].klass, k}];
        (isAfter ? group.second : group.first).push_back(i);
      }
    };
    add(before_, false);
    add(after_, true);
    for (auto &[k, group] : groups)
      if (!group.first.empty() && !group.second.empty()) pairGroup(by, group.first, group.second);
  }

  /// Those that are most alike first, the nearest of them.
  void pairGroup(MatchedBy by, const std::vector<size_t> &olds, const std::vector<size_t> &news) {
    constexpr size_t kMost = 300; // beyond that, in their order
    if (olds.size() > kMost || news.size() > kMost) {
      for (size_t i = 0; i < std::min(olds.size(), news.size()); ++i) take(olds[i], news[i], by);
      return;
    }
    std::vector<std::tuple<int, uint32_t, size_t, size_t>> pairs;
    for (const size_t o : olds)
      for (const size_t n : news) {
        const KnownResult &a = before_.results[o], &b = after_.results[n];
        const int unlike = (a.identity.id != b.identity.id) * 8 + (a.function != b.function) * 4 +
                           (baseOf(a.file) != baseOf(b.file)) * 2 + (a.message != b.message);
        const uint32_t apart = a.line > b.line ? a.line - b.line : b.line - a.line;
        pairs.emplace_back(unlike, apart, o, n);
      }
    std::ranges::sort(pairs);
    for (const auto &[unlike, apart, o, n] : pairs)
      if (!isPaired_[0][o] && !isPaired_[1][n]) take(o, n, by);
  }

  void take(size_t o, size_t n, MatchedBy by) {
    isPaired_[0][o] = isPaired_[1][n] = true;
    out_.push_back({o, n, by});
  }

  const ResultSet &before_, &after_;
  std::vector<bool> isPaired_[2];
  std::vector<Match> out_;
};

} // namespace

std::vector<Match> matchResults(const ResultSet &before, const ResultSet &after) {
  return Matcher(before, after).run();
}

} // namespace fathom::run
