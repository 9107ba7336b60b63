// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom tests: those tests of a results folder that are wanted.
#ifndef FATHOM_RUN_TESTSEARCH_H
#define FATHOM_RUN_TESTSEARCH_H

#include "report/TestExtract.h"
#include "report/Tests.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fathom::run {

/// Each list: at least one of it has to fit; empty: all do.
struct TestsQuery {
  std::string folder; ///< of results; of fathom run, its exploration's count
  report::Tests::Which which = report::Tests::Which::Tests;
  std::vector<std::string> numbers; ///< "7", "100-199"
  std::vector<std::string> kinds;   ///< how a test ends, or the kind of its bug
  std::vector<int> statuses;        ///< exit statuses
  std::string kept;                 ///< "folder", "store"; "": both
  uint64_t first = 0;               ///< only so many; 0: all
  std::vector<std::string> covers;  ///< FILE:LINE; to find out, tests are run
  std::string program;              ///< for `covers`: where the explored program is now
  std::chrono::milliseconds testTime{10000}, maxTime{0}; ///< for `covers`
  unsigned jobs = 1;                                     ///< for `covers`
};

class TestFilter; ///< of a query, without what it covers

class TestSearch {
public:
  /// A UsageError: the query is malformed, or the folder has no results. With `covers`, runs the
  /// tests. `session` is used later, too: for what cannot be read.
  static llvm::Expected<std::unique_ptr<TestSearch>> open(const TestsQuery &query,
                                                          Session &session);
  ~TestSearch();

  using Visit = std::function<bool(const report::Tests::Item &, const report::StoredTest &)>;
  /// Visits the wanted tests until it returns false. `whole`: with symbols and path condition.
  void each(bool whole, const Visit &visit);
  /// The test of one number, wanted or not. A UsageError: there is none.
  struct OneTest {
    report::Tests::Item item;
    report::StoredTest test;
  };
  llvm::Expected<OneTest> one(uint64_t number);
  /// Puts the wanted tests there. Errors: of TestExtract::add.
  llvm::Error extract(report::TestExtract &to, uint64_t &written);

  const report::Tests &tests() const { return tests_; } ///< all, wanted or not
  uint64_t found() const { return found_; }             ///< that were visited
  bool isDamaged() const { return isDamaged_; }         ///< a part could not be read

private:
  TestSearch(const TestsQuery &query, TestFilter filter, report::Tests tests, Session &session);
  llvm::Error findCovering();
  void noteDamage(const std::string &line);

  const TestsQuery query_;
  std::unique_ptr<TestFilter> filter_;
  report::Tests tests_;
  report::TestReader reader_;
  Session &session_;
  uint64_t most_; ///< query_.first; 0: all
  uint64_t found_ = 0;
  std::optional<std::set<uint64_t>> covering_; ///< only these
  bool isDamaged_ = false;
  std::string lastDamage_;
};

struct ExtractedTests {
  uint64_t all = 0, found = 0, written = 0; ///< tests; those that were wanted; that have this form
  uint64_t needingSanitizers = 0;           ///< report::TestExtract, as the next
  std::map<std::string, uint64_t> leftOut;
  bool isDamaged = false;       ///< a part could not be read
  uint64_t unfinishedBytes = 0; ///< report::Tests
};
/// Puts the wanted tests into a folder. Regression tests are of the bugs of all parts of a fathom
/// run. A UsageError: of TestSearch::open and TestExtract::create.
llvm::Expected<ExtractedTests> extractTests(const TestsQuery &query, const std::string &into,
                                            report::TestForm form, Session &session);

/// The wanted tests as one document, part by part, until `write` returns false.
void writeTestsJson(TestSearch &search, const std::function<bool(const std::string &)> &write);

} // namespace fathom::run
#endif
