// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom confirm: a verdict for each report of an analyser.
#include "Command.h"
#include "ConfirmSearch.h"
#include "ExploreProgram.h"
#include "Reproduce.h"
#include "Status.h"

#include "confirm/Confirm.h"
#include "confirm/ReadReports.h"
#include "confirm/WriteVerdicts.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <map>
#include <memory>

namespace fathom::tool {

namespace {

using confirm::Verdict;

struct ConfirmFlags {
  ExploreFlags explore;
  ConfirmSearchFlags search;
  std::string reports, sarif, reportTime = "10s", only;
};

const char *const kFooter =
    R"(FILE is SARIF 2.1.0 (fathom scan --sarif, clang --analyze --analyzer-output sarif, CodeQL, Infer), the JSON of
gcc -fanalyzer -fdiagnostics-format=json, or Infer's report.json. Fathom explores from the function in which the
defect begins, with unknown arguments and memory, and looks for a bug of the report's kind at its place:

  confirmed   a feasible path shows it
  refuted     every path was followed to its end, and none shows it
  open        neither; the reason follows

example:
  fathom scan list --sarif list.sarif
  fathom confirm list --reports list.sarif --sarif verdicts.sarif)";

bool isWanted(const ConfirmFlags &flags, const confirm::Defect &defect) {
  return flags.only.empty() || defect.rule == flags.only ||
         defect.sink.file.find(flags.only) != std::string::npos;
}

nlohmann::json jsonOf(const confirm::Defect &defect, const confirm::Finding &finding) {
  nlohmann::json out = {{"rule", defect.rule},       {"tool", defect.tool},
                        {"message", defect.message}, {"file", defect.sink.file},
                        {"line", defect.sink.line},  {"verdict", confirm::name(finding.verdict)},
                        {"reason", finding.reason},  {"entry", finding.entry},
                        {"paths", finding.paths},    {"seconds", finding.seconds}};
  if (finding.verdict == Verdict::Open) out["cut"] = confirm::name(finding.cut);
  if (finding.verdict == Verdict::Confirmed) out["feasible_from"] = finding.feasibleFrom;
  if (finding.reproduction) {
    out["reproducer"] = finding.reproduction->folder;
    out["reproduced"] = finding.reproduction->isReproduced;
    out["symptom"] = finding.reproduction->symptom;
  }
  return out;
}

void writeSarif(const std::string &path, const llvm::json::Value &document) {
  std::ofstream out(path);
  out << llvm::formatv("{0:2}", document).str() << "\n";
  out.close();
  if (!out) throw UsageError(fmt::format("--sarif {}: cannot be written", path));
}

int runConfirm(ConfirmFlags &flags, Context &context) {
  const CommonOptions &common = flags.explore.common;
  configureLog(common, context.log);
  confirm::Reports reports = orUsage(confirm::readReports(flags.reports));
  confirm::ConfirmOptions options;
  applyConfirmSearchFlags(flags.search, flags.explore.programs[0], context.invocation, options);
  confirm::CallEffects effects;
  const program::Program program = loadAnalysed(flags.explore, flags.search, context, effects);
  options.effects = &effects;
  options.explore = flags.explore.options;
  options.explore.arguments = {flags.explore.programs[0]};
  options.perDefect = parseDuration("--report-time", flags.reportTime);
  Reproducer reproducer(flags.explore.programs, options.input, flags.search.output,
                        flags.search.force, context.invocation, context.log);
  options.reproduce = std::ref(reproducer);
  options.stop = &context.stop;
  const confirm::Confirmer confirmer(program, options);
  Status status(!common.quiet);
  context.catchInterrupts();
  const auto started = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  std::vector<confirm::Finding> findings(reports.defects.size());
  std::vector<const confirm::Finding *> said(reports.defects.size());
  std::map<Verdict, uint64_t> counts;
  std::map<std::string, uint64_t> cuts; // of the open ones
  nlohmann::json list = nlohmann::json::array();
  report::SourceLines sources;
  const double most = std::chrono::duration<double>(common.time()).count();
  for (size_t i = 0; i < reports.defects.size(); ++i) {
    const confirm::Defect &defect = reports.defects[i];
    if (!isWanted(flags, defect)) continue;
    if (context.stop || (most > 0 && seconds() >= most)) {
      findings[i].reason =
          context.stop ? "interrupted" : "the time for all reports was spent (--max-time)";
      findings[i].cut = confirm::Cut::Time;
    } else {
      status.show(fmt::format("report {} of {}", i + 1, reports.defects.size()));
      findings[i] = confirmer.check(defect);
    }
    said[i] = &findings[i];
    ++counts[findings[i].verdict];
    if (findings[i].verdict == Verdict::Open) ++cuts[confirm::name(findings[i].cut)];
    list.push_back(jsonOf(defect, findings[i]));
    if (common.json || common.quiet) continue;
    status.clear();
    fputs(confirm::verdictText(defect, findings[i], sources).c_str(), stdout);
  }
  status.clear();
  if (!flags.sarif.empty()) writeSarif(flags.sarif, confirm::verdictSarif(reports, said));
  if (common.json) {
    nlohmann::json all = {{"schema", 1},
                          {"seconds", seconds()},
                          {"confirmed", counts[Verdict::Confirmed]},
                          {"refuted", counts[Verdict::Refuted]},
                          {"open", counts[Verdict::Open]},
                          {"cut", cuts},
                          {"reports", std::move(list)}};
    fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (!common.quiet) {
    fmt::print("\n{}: {} confirmed, {} refuted, {} open, in {:.1f} s\n",
               counted(list.size(), "report"), counts[Verdict::Confirmed], counts[Verdict::Refuted],
               counts[Verdict::Open], seconds());
  }
  if (context.stop) return kInterrupted;
  return common.failOnFindings && counts[Verdict::Confirmed] ? kFindings : kDone;
}

} // namespace

Run declareConfirm(CLI::App &app) {
  auto flags = std::make_shared<ConfirmFlags>();
  app.footer(kFooter);
  app.add_option("PROGRAM", flags->explore.programs,
                 "an executable that fathom-cc linked, a .bc or .ll file, or C files")
      ->required();
  flags->explore.common.add(app, /*withOutput=*/false);
  app.add_flag("--fail-on-findings", flags->explore.common.failOnFindings,
               "exit with status 1 if a report is confirmed");
  app.add_option("--reports", flags->reports, "the reports of an analyser")
      ->required()
      ->type_name("FILE");
  app.add_option("--sarif", flags->sarif, "write the reports with their verdicts as SARIF 2.1.0")
      ->type_name("FILE");
  app.add_option("--report-time", flags->reportTime, "time limit of one report")
      ->capture_default_str()
      ->type_name("TIME");
  addConfirmSearchFlags(app, flags->search);
  app.add_option("--only", flags->only,
                 "only reports of this rule, or in files whose path has this")
      ->type_name("RULE|FILE");
  return [flags](Context &context) { return runConfirm(*flags, context); };
}

} // namespace fathom::tool
