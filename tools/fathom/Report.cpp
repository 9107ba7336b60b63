// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom report: flags in, a page out. The driver is lib/run/page/Page.h.
#include "Command.h"

#include "run/page/Page.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

struct ReportFlags {
  CommonOptions common;
  run::page::PageRequest request;
};

const char *const kReportFooter =
    R"(DIR is a results folder of fathom explore, fuzz or run, or a SARIF file. Several are shown on one page. The page is one file that needs no network.

example:
  fathom report fathom-out
  fathom report explored campaign --reports verdicts.sarif --html report.html)";

int runReport(const ReportFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  context.log.showsProgress = !flags.common.json;
  run::Session session = context.session();
  const run::page::PageData data = orThrow(run::page::collectPage(flags.request, session));
  for (const std::string &text : data.missing) context.log.verbose("not shown: " + text);
  if (flags.common.json) {
    fmt::print("{}\n", run::page::pageJson(data));
    return kDone;
  }
  const std::string file = orThrow(run::page::writePage(flags.request, data));
  if (flags.common.quiet) return kDone;
  for (const std::string &sentence : data.sentences) fmt::print("{}\n", sentence);
  if (!data.missing.empty())
    fmt::print("{} could not be shown; the page says which\n",
               data.missing.size() == 1 ? std::string("1 thing")
                                        : fmt::format("{} things", data.missing.size()));
  fmt::print("report: {}\n", file);
  return kDone;
}

} // namespace

Run declareReport(CLI::App &app) {
  auto flags = std::make_shared<ReportFlags>();
  app.footer(kReportFooter);
  app.add_option("DIR", flags->request.folders, "results folders, or SARIF files");
  app.add_option("--html", flags->request.html,
                 "the page's file (default: report.html in the first folder)")
      ->type_name("FILE");
  app.add_option("--reports", flags->request.reports,
                 "reports or verdicts in SARIF 2.1.0; may be repeated")
      ->type_name("FILE.sarif")
      ->expected(1)
      ->take_all();
  app.add_option("--source", flags->request.sources,
                 "a folder to look for source files in; may be repeated")
      ->type_name("DIR")
      ->expected(1)
      ->take_all();
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runReport(*flags, context); };
}

} // namespace fathom::tool
