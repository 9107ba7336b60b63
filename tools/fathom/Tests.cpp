// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom tests: lists, shows and extracts the tests of a results folder.
#include "Command.h"
#include "OptionModel.h"
#include "Output.h"

#include "evidence/BugKind.h"
#include "report/BugFile.h"
#include "report/TestExtract.h"
#include "report/TestText.h"
#include "run/replay/TestsCovering.h"
#include "support/NumberText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace fathom::tool {

using evidence::BugKind;

namespace {

struct TestsFlags {
  CommonOptions common;
  std::string folder, extract, form = "folders", kept, program, testTime = "10s";
  std::vector<std::string> kinds, numbers, covers;
  std::vector<int> statuses;
  uint64_t first = 0;
  std::optional<uint64_t> show;
};

const char *const kTestsFooter =
    R"(Tests that were the first to cover something have folders of their own, DIR/tests/000001/; all others are in DIR/tests.store.
Both are read here, by fathom replay, and by fathom explore --seeds and --resume.
--covers runs the other wanted tests natively, as fathom replay does, because a test does not store the lines that it covers.

example:
  fathom tests fathom-out
  fathom tests fathom-out --exit 1 --first 20
  fathom tests fathom-out --show 123
  fathom tests fathom-out --number 7,100-199 --extract some --as folders
  fathom tests fathom-out --kind signal --extract ktests --as ktest
  fathom tests fathom-out --covers cut.c:310 --first 5)";

/// "7" or "100-199"; throws UsageError.
std::pair<uint64_t, uint64_t> rangeOf(const std::string &text) {
  const auto [from, to] = llvm::StringRef(text).split('-');
  std::pair<uint64_t, uint64_t> out;
  const bool isOne = !llvm::StringRef(text).contains('-');
  if (from.getAsInteger(10, out.first) || (isOne ? from : to).getAsInteger(10, out.second) ||
      out.first > out.second)
    throw UsageError(fmt::format("--number {}: expected numbers of tests, as 7 or 100-199", text));
  return out;
}

/// Which tests are wanted.
class Filter {
public:
  explicit Filter(const TestsFlags &flags) : flags_(flags) {
    for (const std::string &text : flags.numbers) ranges_.push_back(rangeOf(text));
    for (const std::string &name : flags.kinds) {
      BugKind kind{};
      if (evidence::bugKindFromName(name, kind))
        bugKinds_.push_back(kind);
      else
        ends_.push_back(endFrom(name));
    }
    if (!flags.kept.empty() && flags.kept != "folder" && flags.kept != "store")
      throw UsageError(fmt::format("--kept {}: expected folder or store", flags.kept));
  }

  /// As far as that can be said before it is read.
  bool wants(const report::Tests::Item &item) const {
    if (!flags_.kept.empty() && item.inStore() != (flags_.kept == "store")) return false;
    auto has = [&](const auto &range) {
      return item.number >= range.first && item.number <= range.second;
    };
    return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), has);
  }
  bool wants(const report::StoredTest &test) {
    auto has = [](const auto &list, auto value) {
      return std::find(list.begin(), list.end(), value) != list.end();
    };
    if (!flags_.statuses.empty() &&
        (test.end != explore::EndKind::Exit || !has(flags_.statuses, test.status)))
      return false;
    if (ends_.empty() && bugKinds_.empty()) return true;
    if (has(ends_, test.end)) return true;
    const std::optional<BugKind> kind = kindOf(test.bug);
    return kind && has(bugKinds_, *kind);
  }

private:
  static explore::EndKind endFrom(const std::string &name) {
    using explore::EndKind;
    for (EndKind end : {EndKind::Exit, EndKind::Signal, EndKind::Bug, EndKind::Partial})
      if (name == report::endName(end)) return end;
    throw UsageError(
        fmt::format("--kind {}: expected exit, signal, bug, partial, or a kind of bug", name));
  }
  /// Of the bug that is reported there.
  std::optional<BugKind> kindOf(const std::string &bug) {
    if (bug.empty() || bugKinds_.empty()) return std::nullopt;
    auto known = known_.find(bug);
    if (known != known_.end()) return known->second;
    std::optional<BugKind> kind;
    llvm::Expected<report::Finding> finding = report::readFinding(flags_.folder + "/" + bug);
    if (finding)
      kind = finding->kind;
    else
      llvm::consumeError(finding.takeError());
    return known_[bug] = kind;
  }

  const TestsFlags &flags_;
  std::vector<std::pair<uint64_t, uint64_t>> ranges_;
  std::vector<explore::EndKind> ends_;
  std::vector<BugKind> bugKinds_;
  std::map<std::string, std::optional<BugKind>> known_;
};

class Command {
public:
  Command(const TestsFlags &flags, Context &context)
      : flags_(flags), context_(context), filter_(flags),
        tests_(orUsage(report::Tests::open(flags.folder, report::Tests::Which::Tests))),
        reader_(tests_), most_(flags.first) {}

  int run() {
    const bool isRun = llvm::sys::fs::exists(flags_.folder + "/run.json");
    if (tests_.items().empty() && !isRun)
      throw UsageError(fmt::format("{}: no tests there; expected a results folder of fathom "
                                   "explore",
                                   flags_.folder));
    for (const std::string &line : tests_.damaged()) noteDamage(line);
    if (!flags_.covers.empty()) findCovering();
    if (flags_.show)
      show(*flags_.show);
    else if (!flags_.extract.empty())
      extract();
    else
      list();
    if (const uint64_t bytes = tests_.unfinishedBytes(); bytes && !flags_.common.quiet)
      context_.log.warn(fmt::format("{}/{}: the last {} are not a complete block: a run is writing "
                                    "there, or was killed; --resume finds what is missing",
                                    flags_.folder, report::kStoreName, counted(bytes, "byte")));
    return isDamaged_ ? kUsage : kDone;
  }

private:
  /// Of the tests that are wanted otherwise, only these are from here on.
  void findCovering() {
    std::set<uint64_t> others;
    const uint64_t enough = std::exchange(most_, 0);
    each(/*whole=*/false, [&](const auto &item, const auto &) {
      others.insert(item.number);
      return true;
    });
    found_ = 0;
    most_ = enough;
    run::Session session = context_.session();
    context_.log.showsProgress = !flags_.common.json;
    covering_ =
        orThrow(run::testsThatCover({.folder = flags_.folder,
                                     .program = flags_.program,
                                     .places = flags_.covers,
                                     .enough = enough,
                                     .testTime = parseDuration("--test-time", flags_.testTime),
                                     .maxTime = flags_.common.time(),
                                     .jobs = flags_.common.jobs},
                                    others, session));
  }

  /// Calls f(item, test) for the wanted ones; ends when it returns false.
  template <typename F> void each(bool whole, F f) {
    for (const report::Tests::Item &item : tests_.items()) {
      if (context_.stop || (most_ && found_ == most_)) return;
      if (!filter_.wants(item) || (covering_ && !covering_->contains(item.number))) continue;
      llvm::Expected<report::StoredTest> test =
          whole ? reader_.readWhole(item) : reader_.read(item);
      if (!test) {
        noteDamage(llvm::toString(test.takeError()));
        continue;
      }
      if (!filter_.wants(*test)) continue;
      found_++;
      if (!f(item, *test)) return;
    }
  }

  void show(uint64_t number) {
    for (const report::Tests::Item &item : tests_.items()) {
      if (item.number != number) continue;
      const report::StoredTest test = orUsage(reader_.readWhole(item));
      if (flags_.common.json)
        fputs(report::jsonText([&](llvm::json::OStream &json) {
                report::writeTestJson(json, item, test, /*whole=*/true);
              }).c_str(),
              stdout);
      else
        fputs(report::testText(item, test).c_str(), stdout);
      return;
    }
    throw UsageError(
        fmt::format("--show {}: {} has no test of this number", number, flags_.folder));
  }

  void extract() {
    const std::optional<report::TestForm> form = report::kTestForms.find(flags_.form);
    if (!form)
      throw UsageError(
          fmt::format("--as {}: expected {}", flags_.form, report::kTestForms.names()));
    report::TestExtract to =
        orUsage(report::TestExtract::create(flags_.extract, *form, flags_.folder));
    uint64_t written = 0;
    context_.catchInterrupts();
    each(/*whole=*/true, [&](const auto &item, const auto &test) {
      written += orUsage(to.add(item, test));
      return true;
    });
    if (flags_.common.json)
      fmt::print("{{\"tests\": {}, \"written\": {}}}\n", found_, written);
    else if (!flags_.common.quiet)
      fmt::print("{} of {} put into {}{}\n", written, counted(tests_.items().size(), "test"),
                 flags_.extract,
                 written == found_
                     ? ""
                     : fmt::format("; {} have no standard input and no file", found_ - written));
  }

  void list() {
    if (flags_.common.json) return listJson();
    if (!flags_.common.quiet) fputs(report::testColumns().c_str(), stdout);
    uint64_t stored = 0;
    each(/*whole=*/false, [&](const auto &item, const auto &test) {
      stored += item.inStore();
      fputs(report::testRow(item, test).c_str(), stdout);
      return !isOutputLost();
    });
    if (flags_.common.quiet) return;
    const uint64_t all = tests_.items().size();
    fmt::print("{}: {} in folders, {} in {}{}\n",
               found_ == all ? counted(all, "test") : fmt::format("{} of {} tests", found_, all),
               found_ - stored, stored, report::kStoreName, sizeText());
  }

  /// Of the whole store.
  std::string sizeText() const {
    if (!tests_.store()) return "";
    const report::StoreLayout &layout = tests_.store()->layout();
    uint64_t tests = 0;
    for (const auto &block : layout.blocks) tests += block.tests;
    return tests ? fmt::format(" ({}, {:.0f} a test)", counted(layout.size, "byte"),
                               static_cast<double>(layout.size) / static_cast<double>(tests))
                 : "";
  }

  void listJson() {
    std::string text;
    llvm::raw_string_ostream out(text);
    {
      llvm::json::OStream json(out, /*IndentSize=*/1);
      json.object([&] {
        json.attribute("tests_total", static_cast<int64_t>(tests_.items().size()));
        json.attributeArray("tests", [&] {
          each(/*whole=*/false, [&](const auto &item, const auto &test) {
            report::writeTestJson(json, item, test, /*whole=*/false);
            fputs(std::exchange(text, "").c_str(), stdout);
            return !isOutputLost();
          });
        });
      });
    }
    out << '\n';
    fputs(text.c_str(), stdout);
  }

  /// Once for each: all tests of a block are lost together.
  void noteDamage(const std::string &line) {
    isDamaged_ = true;
    if (line != lastDamage_) context_.log.warn(line);
    lastDamage_ = line;
  }

  const TestsFlags &flags_;
  Context &context_;
  Filter filter_;
  report::Tests tests_;
  report::TestReader reader_;
  uint64_t most_; ///< --first
  uint64_t found_ = 0;
  std::optional<std::set<uint64_t>> covering_; ///< --covers: these
  bool isDamaged_ = false;
  std::string lastDamage_;
};

int runTests(const TestsFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  if (!llvm::sys::fs::is_directory(flags.folder))
    throw UsageError(fmt::format(
        "{}: no such directory; expected a results folder of fathom explore", flags.folder));
  if (flags.show && !flags.extract.empty())
    throw UsageError("--show and --extract: give one of them");
  if (flags.show && !flags.covers.empty())
    throw UsageError("--show and --covers: give one of them");
  if (flags.covers.empty() && !flags.program.empty())
    throw UsageError("--program: only with --covers");
  flags.common.checkJobs();
  return Command(flags, context).run();
}

} // namespace

Run declareTests(CLI::App &app) {
  auto flags = std::make_shared<TestsFlags>();
  app.footer(kTestsFooter);
  app.add_option("DIR", flags->folder, "a results folder of fathom explore")->required();
  app.add_option("--exit", flags->statuses, "only tests with exit status N; may be repeated")
      ->type_name("N")
      ->expected(1)
      ->take_all();
  app.add_option("--kind", flags->kinds,
                 "only tests that end by: exit, signal, bug, partial, or a bug of this kind "
                 "(null-dereference); may be repeated")
      ->type_name("KIND")
      ->expected(1)
      ->take_all();
  app.add_option("--number", flags->numbers, "only these numbers: 7,100-199; may be repeated")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--kept", flags->kept, "only tests that are kept in: folder or store")
      ->type_name("WHERE");
  app.add_option("--covers", flags->covers,
                 "only tests that execute this line; runs the tests natively; may be repeated: "
                 "at least one of the lines")
      ->type_name("FILE:LINE")
      ->expected(1)
      ->take_all();
  app.add_option("--program", flags->program,
                 "with --covers: where the explored program is now; default: where it was explored")
      ->type_name("PROGRAM");
  app.add_option("--test-time", flags->testTime, "with --covers: time limit of one test")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--first", flags->first, "only the first N of these tests")->type_name("N");
  app.add_option("--show", flags->show, "show test N in full")->type_name("N");
  app.add_option("--extract", flags->extract, "write these tests to the new folder OUT")
      ->type_name("OUT");
  app.add_option("--as", flags->form, "with --extract: folders, ktest, test-comp or afl")
      ->capture_default_str()
      ->type_name("FORM");
  flags->common.add(app, /*withOutput=*/false);
  withValues(app, "--kept", "folder or store");
  withValues(app, "--as", report::kTestForms.names());
  std::string ends = "exit, signal, bug, partial";
  for (const evidence::BugKindRow &row : evidence::bugKindRows())
    if (row.isOfEngine) ends += std::string(", ") + row.name;
  withValues(app, "--kind", ends);
  return [flags](Context &context) { return runTests(*flags, context); };
}

} // namespace fathom::tool
