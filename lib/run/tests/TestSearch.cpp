// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/tests/TestSearch.h"

#include "evidence/BugKind.h"
#include "report/BugFile.h"
#include "report/TestText.h"
#include "run/Failure.h"
#include "run/replay/TestsCovering.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fathom::run {

using evidence::BugKind;

/// Which tests are wanted.
class TestFilter {
public:
  static llvm::Expected<TestFilter> create(const TestsQuery &query) {
    TestFilter out(query);
    for (const std::string &text : query.numbers)
      if (llvm::Error e = out.addRange(text)) return std::move(e);
    for (const std::string &name : query.kinds)
      if (llvm::Error e = out.addKind(name)) return std::move(e);
    if (!query.kept.empty() && query.kept != "folder" && query.kept != "store")
      return usageError(fmt::format("--kept {}: expected folder or store", query.kept));
    return out;
  }

  /// As far as that can be said before it is read.
  bool wants(const report::Tests::Item &item) const {
    if (!kept_.empty() && item.inStore() != (kept_ == "store")) return false;
    auto has = [&](const auto &range) {
      return item.number >= range.first && item.number <= range.second;
    };
    return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), has);
  }
  bool wants(const report::StoredTest &test) {
    auto has = [](const auto &list, auto value) {
      return std::find(list.begin(), list.end(), value) != list.end();
    };
    if (!statuses_.empty() && (test.end != explore::EndKind::Exit || !has(statuses_, test.status)))
      return false;
    if (ends_.empty() && bugKinds_.empty()) return true;
    if (has(ends_, test.end)) return true;
    const std::optional<BugKind> kind = test.isBug ? test.bugKind : kindOf(test.bug);
    return kind && has(bugKinds_, *kind);
  }

private:
  explicit TestFilter(const TestsQuery &query)
      : folder_(query.folder), kept_(query.kept), statuses_(query.statuses) {}

  /// "7" or "100-199".
  llvm::Error addRange(const std::string &text) {
    const auto [from, to] = llvm::StringRef(text).split('-');
    std::pair<uint64_t, uint64_t> range;
    const bool isOne = !llvm::StringRef(text).contains('-');
    if (from.getAsInteger(10, range.first) || (isOne ? from : to).getAsInteger(10, range.second) ||
        range.first > range.second)
      return usageError(
          fmt::format("--number {}: expected numbers of tests, as 7 or 100-199", text));
    ranges_.push_back(range);
    return llvm::Error::success();
  }
  llvm::Error addKind(const std::string &name) {
    using explore::EndKind;
    BugKind kind{};
    if (evidence::bugKindFromName(name, kind)) {
      bugKinds_.push_back(kind);
      return llvm::Error::success();
    }
    for (EndKind end : {EndKind::Exit, EndKind::Signal, EndKind::Bug, EndKind::Partial})
      if (name == report::endName(end)) {
        ends_.push_back(end);
        return llvm::Error::success();
      }
    return usageError(
        fmt::format("--kind {}: expected exit, signal, bug, partial, or a kind of bug", name));
  }
  /// The kind of the bug that is reported there.
  std::optional<BugKind> kindOf(const std::string &bug) {
    if (bug.empty() || bugKinds_.empty()) return std::nullopt;
    auto known = known_.find(bug);
    if (known != known_.end()) return known->second;
    std::optional<BugKind> kind;
    llvm::Expected<report::Finding> finding = report::readFinding(folder_ + "/" + bug);
    if (finding)
      kind = finding->kind;
    else
      llvm::consumeError(finding.takeError());
    return known_[bug] = kind;
  }

  std::string folder_, kept_;
  std::vector<int> statuses_;
  std::vector<std::pair<uint64_t, uint64_t>> ranges_;
  std::vector<explore::EndKind> ends_;
  std::vector<BugKind> bugKinds_;
  std::map<std::string, std::optional<BugKind>> known_;
};

TestSearch::TestSearch(const TestsQuery &query, TestFilter filter, report::Tests tests,
                       Session &session)
    : query_(query), filter_(std::make_unique<TestFilter>(std::move(filter))),
      tests_(std::move(tests)), reader_(tests_), session_(session), most_(query.first) {}

TestSearch::~TestSearch() = default;

/// The folders with tests and bugs: of fathom run, those of its parts.
static std::vector<std::string> partsOf(const std::string &folder) {
  std::vector<std::string> out;
  if (llvm::sys::fs::exists(folder + "/run.json"))
    for (const char *part : {"explore", "fuzz", "confirm"})
      if (const std::string path = fmt::format("{}/{}", folder, part);
          llvm::sys::fs::exists(path + "/run.json"))
        out.push_back(path);
  return out.empty() ? std::vector{folder} : out;
}

llvm::Expected<std::unique_ptr<TestSearch>> TestSearch::open(const TestsQuery &asked,
                                                             Session &session) {
  TestsQuery query = asked;
  query.folder = partsOf(asked.folder).front();
  if (!llvm::sys::fs::is_directory(query.folder))
    return usageError(fmt::format(
        "{}: no such directory; expected a results folder of fathom explore", query.folder));
  if (query.covers.empty() && !query.program.empty())
    return usageError("--program: only with --covers");
  llvm::Expected<TestFilter> filter = TestFilter::create(query);
  if (!filter) return filter.takeError();
  auto tests = asUsage(report::Tests::open(query.folder, query.which));
  if (!tests) return tests.takeError();
  if (tests->items().empty() && !llvm::sys::fs::exists(query.folder + "/run.json"))
    return usageError(fmt::format("{}: no tests there; expected a results folder of fathom "
                                  "explore",
                                  query.folder));
  std::unique_ptr<TestSearch> out(
      new TestSearch(query, std::move(*filter), std::move(*tests), session));
  for (const std::string &line : out->tests_.damaged()) out->noteDamage(line);
  if (!query.covers.empty())
    if (llvm::Error e = out->findCovering()) return std::move(e);
  return out;
}

/// Finds the tests that cover the places. From here on only those are wanted.
llvm::Error TestSearch::findCovering() {
  std::set<uint64_t> others;
  most_ = 0;
  each(/*whole=*/false, [&](const auto &item, const auto &) {
    others.insert(item.number);
    return true;
  });
  found_ = 0;
  most_ = query_.first;
  auto covering = testsThatCover({.folder = query_.folder,
                                  .program = query_.program,
                                  .places = query_.covers,
                                  .enough = query_.first,
                                  .testTime = query_.testTime,
                                  .maxTime = query_.maxTime,
                                  .jobs = query_.jobs},
                                 others, session_);
  if (!covering) return covering.takeError();
  covering_ = std::move(*covering);
  return llvm::Error::success();
}

void TestSearch::each(bool whole, const Visit &visit) {
  for (const report::Tests::Item &item : tests_.items()) {
    if (session_.interruption.stop || (most_ && found_ == most_)) return;
    if (!filter_->wants(item) || (covering_ && !covering_->contains(item.number))) continue;
    llvm::Expected<report::StoredTest> test = whole ? reader_.readWhole(item) : reader_.read(item);
    if (!test) {
      noteDamage(llvm::toString(test.takeError()));
      continue;
    }
    if (!filter_->wants(*test)) continue;
    found_++;
    if (!visit(item, *test)) return;
  }
}

llvm::Expected<TestSearch::OneTest> TestSearch::one(uint64_t number) {
  for (const report::Tests::Item &item : tests_.items()) {
    if (item.number != number) continue;
    auto test = asUsage(reader_.readWhole(item));
    if (!test) return test.takeError();
    return OneTest{item, std::move(*test)};
  }
  return usageError(fmt::format("--show {}: {} has no test of this number", number, query_.folder));
}

llvm::Error TestSearch::extract(report::TestExtract &to, uint64_t &written) {
  llvm::Error failed = llvm::Error::success();
  session_.interruption.begin();
  each(/*whole=*/true, [&](const auto &item, const auto &test) {
    llvm::Expected<bool> isAdded = asUsage(to.add(item, test));
    if (isAdded) {
      written += *isAdded;
      return true;
    }
    (void)bool(failed); // it was looked at: there was none
    failed = isAdded.takeError();
    return false;
  });
  return failed;
}

llvm::Expected<ExtractedTests> extractTests(const TestsQuery &query, const std::string &into,
                                            report::TestForm form, Session &session) {
  std::vector<std::string> parts = partsOf(query.folder);
  if (!report::isRegression(form)) parts.resize(1);
  ExtractedTests out;
  std::optional<report::TestExtract> to;
  for (const std::string &part : parts) {
    TestsQuery one = query;
    one.folder = part;
    if (query.first) one.first = query.first - out.found;
    if (query.first && !one.first) break;
    auto search = TestSearch::open(one, session);
    if (!search) return search.takeError();
    if (!to) {
      auto created = asUsage(report::TestExtract::create(into, form, part));
      if (!created) return created.takeError();
      to.emplace(std::move(*created));
    }
    to->use(part);
    if (llvm::Error e = (*search)->extract(*to, out.written)) return std::move(e);
    out.all += (*search)->tests().items().size();
    out.found += (*search)->found();
    out.isDamaged |= (*search)->isDamaged();
    out.unfinishedBytes += (*search)->tests().unfinishedBytes();
  }
  out.leftOut = to->leftOut();
  out.needingSanitizers = to->needingSanitizers();
  return out;
}

/// Once for each: all tests of a block are lost together.
void TestSearch::noteDamage(const std::string &line) {
  isDamaged_ = true;
  if (line != lastDamage_) session_.observer.warn(line);
  lastDamage_ = line;
}

void writeTestsJson(TestSearch &search, const std::function<bool(const std::string &)> &write) {
  std::string text;
  llvm::raw_string_ostream out(text);
  {
    llvm::json::OStream json(out, /*IndentSize=*/1);
    json.object([&] {
      json.attribute("tests_total", static_cast<int64_t>(search.tests().items().size()));
      json.attributeArray("tests", [&] {
        search.each(/*whole=*/false, [&](const auto &item, const auto &test) {
          report::writeTestJson(json, item, test, /*whole=*/false);
          return write(std::exchange(text, ""));
        });
      });
    });
  }
  out << '\n';
  write(text);
}

} // namespace fathom::run
