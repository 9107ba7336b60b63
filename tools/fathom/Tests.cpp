// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom tests: flags in, text out. The driver is lib/run/tests/TestSearch.h.
#include "Command.h"
#include "OptionModel.h"
#include "Output.h"

#include "evidence/BugKind.h"
#include "report/TestText.h"
#include "run/tests/TestSearch.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace fathom::tool {

namespace {

struct TestsFlags {
  CommonOptions common;
  run::TestsQuery query;
  std::string extract, form = "folders", testTime = "10s";
  std::optional<uint64_t> show;
  bool withTests = false;
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
  fathom tests fathom-out --covers cut.c:310 --first 5
  fathom tests fathom-out --extract tests/fathom --as ctest)";

class Command {
public:
  Command(const TestsFlags &flags, run::TestSearch &search) : flags_(flags), search_(search) {}

  void show(uint64_t number) {
    const auto [item, test] = orThrow(search_.one(number));
    if (!flags_.common.json)
      fputs(report::testText(item, test).c_str(), stdout);
    else
      fputs(report::jsonText([&, &item = item, &test = test](llvm::json::OStream &json) {
              report::writeTestJson(json, item, test, /*whole=*/true);
            }).c_str(),
            stdout);
  }

  void list() {
    const auto isPrinted = [](const std::string &text) {
      put(text);
      return !isOutputLost();
    };
    if (flags_.common.json) return run::writeTestsJson(search_, isPrinted);
    if (!flags_.common.quiet) fputs(report::testColumns().c_str(), stdout);
    uint64_t stored = 0;
    search_.each(/*whole=*/false, [&](const auto &item, const auto &test) {
      stored += item.inStore();
      return isPrinted(report::testRow(item, test));
    });
    if (flags_.common.quiet) return;
    const uint64_t all = search_.tests().items().size(), found = search_.found();
    fmt::print("{}: {} in folders, {} in {}{}\n",
               found == all ? counted(all, "test") : fmt::format("{} of {} tests", found, all),
               found - stored, stored, report::kStoreName, sizeText());
  }

private:
  /// The size of the whole store.
  std::string sizeText() const {
    if (!search_.tests().store()) return "";
    const report::StoreLayout &layout = search_.tests().store()->layout();
    uint64_t tests = 0;
    for (const auto &block : layout.blocks) tests += block.tests;
    return tests ? fmt::format(" ({}, {:.0f} a test)", counted(layout.size, "byte"),
                               static_cast<double>(layout.size) / static_cast<double>(tests))
                 : "";
  }

  const TestsFlags &flags_;
  run::TestSearch &search_;
};

void warnOfUnfinished(const TestsFlags &flags, uint64_t bytes, Context &context) {
  if (bytes && !flags.common.quiet)
    context.log.warn(fmt::format("{}/{}: the last {} are not a complete block: a run is writing "
                                 "there, or was killed; --resume finds what is missing",
                                 flags.query.folder, report::kStoreName, counted(bytes, "byte")));
}

int extract(TestsFlags &flags, report::TestForm form, run::Session &session, Context &context) {
  const bool isRegression = report::isRegression(form);
  if (isRegression)
    flags.query.which =
        flags.withTests ? report::Tests::Which::TestsAndBugs : report::Tests::Which::Bugs;
  const run::ExtractedTests done =
      orThrow(run::extractTests(flags.query, flags.extract, form, session));
  if (flags.common.json) {
    fmt::print("{{\"tests\": {}, \"written\": {}}}\n", done.found, done.written);
  } else if (!flags.common.quiet) {
    fmt::print("{} of {} put into {}", done.written,
               counted(done.all, isRegression && !flags.withTests ? "bug" : "test"), flags.extract);
    for (const auto &[why, count] : done.leftOut) fmt::print("; {} {}", count, why);
    fmt::print("\n");
    if (done.needingSanitizers)
      fmt::print("{} may show only in a build with sanitizers: the head of each test names them\n",
                 done.needingSanitizers);
    if (form == report::TestForm::CTest)
      fmt::print("add_subdirectory({0}) adds them to a project; one by hand: sh {0}/NAME/test.sh "
                 "PROGRAM\n",
                 flags.extract);
  }
  warnOfUnfinished(flags, done.unfinishedBytes, context);
  return done.isDamaged ? kUsage : kDone;
}

int runTests(TestsFlags &flags, Context &context) {
  const CommonOptions &common = flags.common;
  run::TestsQuery &query = flags.query;
  configureLog(common, context.log);
  if (flags.show && !flags.extract.empty())
    throw UsageError("--show and --extract: give one of them");
  if (flags.show && !query.covers.empty())
    throw UsageError("--show and --covers: give one of them");
  common.checkJobs();
  query.jobs = common.jobs;
  query.maxTime = common.time();
  query.testTime = parseDuration("--test-time", flags.testTime);
  context.log.showsProgress = !common.json;
  run::Session session = context.session();
  const std::optional<report::TestForm> form = report::kTestForms.find(flags.form);
  if (!form)
    throw UsageError(fmt::format("--as {}: expected {}", flags.form, report::kTestForms.names()));
  if (flags.withTests && (flags.extract.empty() || !report::isRegression(*form)))
    throw UsageError("--with-tests: only with --extract OUT --as ctest or --as c");
  if (!flags.extract.empty()) return extract(flags, *form, session, context);
  const auto search = orThrow(run::TestSearch::open(query, session));
  Command command(flags, *search);
  if (flags.show)
    command.show(*flags.show);
  else
    command.list();
  warnOfUnfinished(flags, search->tests().unfinishedBytes(), context);
  return search->isDamaged() ? kUsage : kDone;
}

} // namespace

Run declareTests(CLI::App &app) {
  auto flags = std::make_shared<TestsFlags>();
  app.footer(kTestsFooter);
  app.add_option("DIR", flags->query.folder,
                 "a results folder of fathom explore, fuzz, confirm or run")
      ->required();
  app.add_option("--exit", flags->query.statuses, "only tests with exit status N; may be repeated")
      ->type_name("N")
      ->expected(1)
      ->take_all();
  app.add_option("--kind", flags->query.kinds,
                 "only tests that end by: exit, signal, bug, partial, or a bug of this kind "
                 "(null-dereference); may be repeated")
      ->type_name("KIND")
      ->expected(1)
      ->take_all();
  app.add_option("--number", flags->query.numbers, "only these numbers: 7,100-199; may be repeated")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--kept", flags->query.kept, "only tests that are kept in: folder or store")
      ->type_name("WHERE");
  app.add_option("--covers", flags->query.covers,
                 "only tests that execute this line; runs the tests natively; may be repeated: "
                 "at least one of the lines")
      ->type_name("FILE:LINE")
      ->expected(1)
      ->take_all();
  app.add_option("--program", flags->query.program,
                 "with --covers: where the explored program is now; default: where it was explored")
      ->type_name("PROGRAM");
  app.add_option("--test-time", flags->testTime, "with --covers: time limit of one test")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--first", flags->query.first, "only the first N of these tests")->type_name("N");
  app.add_option("--show", flags->show, "show test N in full")->type_name("N");
  app.add_option("--extract", flags->extract, "write these tests to the new folder OUT")
      ->type_name("OUT");
  app.add_option("--as", flags->form,
                 "with --extract: folders, ktest, test-comp or afl; or regression tests of the "
                 "bugs, for a project's own suite: ctest (a folder for add_subdirectory) or c (one "
                 "C file each)")
      ->capture_default_str()
      ->type_name("FORM");
  app.add_flag("--with-tests", flags->withTests,
               "with --as ctest or c: also the tests, which then have to end as they did");
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
