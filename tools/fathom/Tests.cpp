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

  void extract() {
    const std::optional<report::TestForm> form = report::kTestForms.find(flags_.form);
    if (!form)
      throw UsageError(
          fmt::format("--as {}: expected {}", flags_.form, report::kTestForms.names()));
    const uint64_t written = orThrow(search_.extract(flags_.extract, *form));
    const uint64_t found = search_.found();
    if (flags_.common.json)
      fmt::print("{{\"tests\": {}, \"written\": {}}}\n", found, written);
    else if (!flags_.common.quiet)
      fmt::print("{} of {} put into {}{}\n", written,
                 counted(search_.tests().items().size(), "test"), flags_.extract,
                 written == found
                     ? ""
                     : fmt::format("; {} have no standard input and no file", found - written));
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
  const auto search = orThrow(run::TestSearch::open(query, session));
  Command command(flags, *search);
  if (flags.show)
    command.show(*flags.show);
  else if (!flags.extract.empty())
    command.extract();
  else
    command.list();
  if (const uint64_t bytes = search->tests().unfinishedBytes(); bytes && !common.quiet)
    context.log.warn(fmt::format("{}/{}: the last {} are not a complete block: a run is writing "
                                 "there, or was killed; --resume finds what is missing",
                                 query.folder, report::kStoreName, counted(bytes, "byte")));
  return search->isDamaged() ? kUsage : kDone;
}

} // namespace

Run declareTests(CLI::App &app) {
  auto flags = std::make_shared<TestsFlags>();
  app.footer(kTestsFooter);
  app.add_option("DIR", flags->query.folder, "a results folder of fathom explore")->required();
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
