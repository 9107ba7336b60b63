// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which results of two versions are paired.
#include "run/diff/Match.h"

#include <gtest/gtest.h>

using namespace fathom::run;

namespace {

KnownResult result(const std::string &id, const std::string &place, const std::string &code,
                   const std::string &function, uint32_t line) {
  KnownResult out;
  out.identity = {id, place, code};
  out.rule = "leak";
  out.message = "allocated at line " + std::to_string(line);
  out.file = "/src/a.c";
  out.function = function;
  out.line = line;
  return out;
}

ResultSet setOf(std::vector<KnownResult> results, const std::string &klass = "reports of x") {
  ResultSet out;
  out.analyses.emplace_back();
  out.analyses.back().klass = klass;
  out.results = std::move(results);
  return out;
}

std::string pairs(const ResultSet &before, const ResultSet &after) {
  std::string out;
  for (const Match &m : matchResults(before, after))
    out += std::to_string(m.before) + "-" + std::to_string(m.after) + " " + name(m.by) + "; ";
  return out;
}

} // namespace

TEST(Match, EachStepTakesWhatTheOnesBeforeLeave) {
  const ResultSet was = setOf({result("1", "p1", "c1", "f", 1), result("2", "p2", "c2", "g", 2),
                               result("3", "p3", "c3", "h", 3), result("4", "p4", "c4", "i", 4),
                               result("5", "p5", "c5", "gone", 5)});
  const ResultSet is =
      setOf({result("9", "q4", "d4", "i", 40), result("8", "p3", "d3", "h", 30),
             result("7", "p2", "c2", "renamed", 20), result("1", "q", "d", "x", 10),
             result("6", "p6", "c6", "other", 60)});
  EXPECT_EQ(pairs(was, is), "3-0 edited; 2-1 path; 1-2 renamed; 0-3 fingerprint; ");
}

TEST(Match, OfEqualOnesTheNearestArePaired) {
  const ResultSet was = setOf({result("1", "p", "", "f", 10), result("2", "p", "", "f", 50)});
  const ResultSet is = setOf({result("3", "p", "", "f", 52)});
  EXPECT_EQ(pairs(was, is), "1-0 path; ");
}

TEST(Match, ClassesAreNotMixed) {
  const ResultSet was = setOf({result("1", "p", "c", "f", 1)}, "bugs");
  const ResultSet is = setOf({result("1", "p", "c", "f", 1)}, "reports of x");
  EXPECT_EQ(pairs(was, is), "");
}

TEST(Match, FingerprintsOfTheAnalyserCount) {
  KnownResult one = result("1", "", "", "f", 1), other = result("2", "", "", "g", 9);
  one.prints["issueHash/v1"] = other.prints["issueHash/v1"] = "abc";
  EXPECT_EQ(pairs(setOf({one}), setOf({other})), "0-0 fingerprint; ");
}

TEST(Match, ManyEqualOnesTakeAMoment) {
  std::vector<KnownResult> many;
  for (uint32_t i = 0; i < 20'000; ++i) many.push_back(result(std::to_string(i), "p", "", "f", i));
  std::vector<KnownResult> others = many;
  for (KnownResult &r : others) r.identity.id += "x";
  EXPECT_EQ(matchResults(setOf(many), setOf(others)).size(), many.size());
}
