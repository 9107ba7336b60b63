// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan: what an over-approximation of the whole program cannot rule out.
#include "OptionModel.h"
#include "ScanAbstract.h"
#include "ScanBudget.h"
#include "ScanCache.h"
#include "ScanDatabase.h"
#include "ScanFlags.h"
#include "ScanReports.h"

#include "statics/checkers/Precision.h"
#include "statics/front/BuildFacts.h"
#include "statics/front/Sizes.h"
#include "statics/pointers/Print.h"
#include "statics/valueflow/ValueFlow.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include "support/NumberText.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace fathom::tool {

namespace {

using Clock = std::chrono::steady_clock;

/// What --print can show. Each printer throws UsageError where the program lacks what was named.
struct Printer {
  const char *name;
  void (*print)(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                ScanBudget &budget, Context &context);
};

void printSizes(llvm::Module &module, const PrintRequest &, const ScanFlags &flags,
                ScanBudget &budget, Context &) {
  budget.finish();
  const statics::Sizes sizes = statics::sizesOf(module);
  fmt::print("{}: {}, {} of them its own, {}, {}, {}\n",
             flags.title.empty() ? flags.programs[0] : flags.title,
             counted(sizes.functions, "function"), grouped(double(sizes.ownFunctions)),
             counted(sizes.blocks, "block"), counted(sizes.instructions, "instruction"),
             counted(sizes.globals, "global"));
}

/// Said before anything is analysed.
void requireFunction(const llvm::Module &module, const PrintRequest &request) {
  if (request.function.empty()) return;
  const llvm::Function *f = module.getFunction(request.function);
  if (!f || f->isDeclaration())
    throw UsageError(fmt::format("--print {}:{}: the program has no function {}", request.what,
                                 request.function, request.function));
}

/// Calls print(function) for the one that was named, or for all of the program's own.
template <class Print>
void forEachRequested(const statics::Facts &facts, const PrintRequest &request, Print &&print) {
  if (!request.function.empty()) {
    return print(facts.findFunction(request.function));
  }
  for (statics::FunctionId id = 0; id < facts.functions.size(); id++)
    if (facts.functions[id].isOwn) print(id);
}

std::unique_ptr<statics::PointsTo> analyse(const statics::Facts &facts, ScanBudget &budget,
                                           Context &context) {
  const auto begin = Clock::now();
  budget.begin("points-to sets");
  auto pts = std::make_unique<statics::PointsTo>(facts);
  statics::analysePointers(*pts, budget.stop());
  context.log.verbose(fmt::format(
      "points-to: {} nodes, {} merged, {} copies, {} waves, {} locations, {} sets, {:.2f} s",
      pts->stats.nodes, pts->stats.merged, pts->stats.copies, pts->stats.waves,
      pts->locations.count(), pts->sets.size(),
      std::chrono::duration<double>(Clock::now() - begin).count()));
  if (pts->stats.contentsJoined > 0)
    context.log.verbose(fmt::format("points-to: the contents of {} locations are joined, because "
                                    "sets are large: they are less precise",
                                    pts->stats.contentsJoined));
  return pts;
}

template <std::string (*Text)(const statics::PointsTo &, statics::FunctionId)>
void printPointers(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                   ScanBudget &budget, Context &context) {
  requireFunction(module, request);
  const statics::Facts facts = orUsage(statics::buildFacts(module, flags.entry));
  const std::unique_ptr<statics::PointsTo> pts = analyse(facts, budget, context);
  budget.report();
  forEachRequested(facts, request,
                   [&](statics::FunctionId id) { fputs(Text(*pts, id).c_str(), stdout); });
}

/// Everything up to the value-flow graph.
struct WholeFlow {
  statics::Facts facts;
  std::unique_ptr<statics::PointsTo> pts;
  std::unique_ptr<statics::ModRef> modRef;
  std::unique_ptr<statics::ValueFlow> flow;
};

void analyseFlow(WholeFlow &whole, llvm::Module &module, const ScanFlags &flags, ScanBudget &budget,
                 Context &context) {
  whole.facts = orUsage(statics::buildFacts(module, flags.entry));
  whole.pts = analyse(whole.facts, budget, context);
  const auto begin = Clock::now();
  budget.begin("what functions read and write");
  whole.modRef = std::make_unique<statics::ModRef>(*whole.pts, &budget.stop());
  const auto middle = Clock::now();
  whole.flow = std::make_unique<statics::ValueFlow>(*whole.pts, *whole.modRef);
  budget.begin("memory SSA and value flow");
  whole.flow->build(budget.stop());
  const auto seconds = [](auto from, auto to) {
    return std::chrono::duration<double>(to - from).count();
  };
  context.log.verbose(fmt::format("mod/ref: {:.2f} s; value flow: {} nodes, {} edges, {:.2f} s",
                                  seconds(begin, middle), whole.flow->graph().numNodes(),
                                  whole.flow->graph().numEdges(), seconds(middle, Clock::now())));
}

void printMemory(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                 ScanBudget &budget, Context &context) {
  requireFunction(module, request);
  WholeFlow whole;
  analyseFlow(whole, module, flags, budget, context);
  budget.report();
  forEachRequested(whole.facts, request, [&](statics::FunctionId id) {
    if (!whole.flow->hasMemory(id)) return;
    fputs(statics::printMemorySsa(*whole.pts, whole.flow->memory(id), id).c_str(), stdout);
  });
}

void printFlow(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
               ScanBudget &budget, Context &context) {
  requireFunction(module, request);
  WholeFlow whole;
  analyseFlow(whole, module, flags, budget, context);
  budget.report();
  forEachRequested(whole.facts, request, [&](statics::FunctionId id) {
    fputs(statics::printValueFlow(*whole.flow, id).c_str(), stdout);
  });
}

void printSummary(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                  ScanBudget &budget, Context &context) {
  requireFunction(module, request);
  WholeFlow whole;
  analyseFlow(whole, module, flags, budget, context);
  const auto begin = Clock::now();
  budget.begin("summaries");
  statics::Reachability forward(whole.flow->graph(), statics::FlowDirection::Forward,
                                /*derived=*/false, &budget.stop());
  // A budget may end this too, and the first line says so.
  std::string text;
  forEachRequested(whole.facts, request, [&](statics::FunctionId id) {
    if (whole.flow->hasMemory(id) && !budget.stop())
      text += statics::printSummaries(*whole.flow, forward, id);
  });
  context.log.verbose(fmt::format("summaries: {:.2f} s",
                                  std::chrono::duration<double>(Clock::now() - begin).count()));
  budget.report();
  fputs(text.c_str(), stdout);
}

void printLevels(llvm::Module &module, const PrintRequest &, const ScanFlags &flags,
                 ScanBudget &budget, Context &context) {
  WholeFlow whole;
  analyseFlow(whole, module, flags, budget, context);
  budget.begin("precision");
  statics::View view(*whole.flow);
  const statics::Precision precision = statics::measurePrecision(view, {}, budget.stop());
  budget.report();
  fputs(statics::printPrecision(view, precision, flags.common.verbose).c_str(), stdout);
}

void printAssumed(llvm::Module &module, const PrintRequest &, const ScanFlags &flags,
                  ScanBudget &budget, Context &context) {
  const statics::Facts facts = orUsage(statics::buildFacts(module, flags.entry));
  const std::unique_ptr<statics::PointsTo> pts = analyse(facts, budget, context);
  budget.report();
  fputs(statics::printAssumptions(*pts).c_str(), stdout);
}

const Printer kPrinters[] = {{"sizes", printSizes},
                             {"points-to", printPointers<statics::printPointsTo>},
                             {"call-graph", printPointers<statics::printCalls>},
                             {"memory-ssa", printMemory},
                             {"value-flow", printFlow},
                             {"summaries", printSummary},
                             {"assumptions", printAssumed},
                             {"precision", printLevels},
                             {"abstract", printAbstract}};

std::string printerNames() {
  std::string names;
  for (const Printer &p : kPrinters) names += (names.empty() ? "" : ", ") + std::string(p.name);
  return names;
}

/// Throws UsageError where --print names nothing.
const Printer &printerOf(const ScanFlags &flags) {
  const PrintRequest request = printRequest(flags.print);
  for (const Printer &p : kPrinters)
    if (request.what == p.name) return p;
  throw UsageError(fmt::format("--print {}: expected {}, or one of them with :FUNCTION",
                               flags.print, printerNames()));
}

/// --assertions and --print.
int scanAnalysis(const ScanFlags &flags, Context &context, bool &isPartial) {
  ScanBudget budget(flags.common, context);
  budget.begin("reading the program");
  llvm::LLVMContext llvmContext;
  const std::unique_ptr<llvm::Module> module = loadScanned(llvmContext, flags);
  int status = kDone;
  if (flags.assertions)
    status = scanAssertions(*module, flags, budget, context);
  else
    printerOf(flags).print(*module, printRequest(flags.print), flags, budget, context);
  isPartial = budget.isPartial();
  return status;
}

/// What is kept is what the checkers say: SARIF, baselines and quoted lines are made in every run.
int scanReports(const ScanFlags &flags, Context &context) {
  const KeptAnswer answer(flags, reportsQuestion(flags));
  if (const auto known = answer.find())
    if (const auto result = report::readScanResult(known->getBuffer())) {
      context.log.verbose(kAnswered);
      return showReports(*result, flags, context);
    }
  report::ScanResult result;
  {
    ScanBudget budget(flags.common, context);
    budget.begin("reading the program");
    llvm::LLVMContext llvmContext;
    const std::unique_ptr<llvm::Module> module = loadScanned(llvmContext, answer.flags());
    WholeFlow whole;
    analyseFlow(whole, *module, answer.flags(), budget, context);
    result = findReports(*module, *whole.flow, answer.flags(), budget, context);
  }
  if (result.isComplete)
    if (const std::string text = report::storedScanResult(result, kMaxBytesOfOne); !text.empty())
      answer.keep(text);
  return showReports(result, flags, context);
}

int scanProgram(const ScanFlags &flags, Context &context) {
  if (flags.assertions && !flags.print.empty())
    throw UsageError("--assertions and --print exclude each other");
  if (!flags.print.empty()) (void)printerOf(flags);
  checkReportFlags(flags);
  requireRegularPrograms(flags.programs);
  if (!flags.assertions && flags.print.empty()) return scanReports(flags, context);
  return scanCached(flags, context, [&](const ScanFlags &read, bool &partial) {
    return scanAnalysis(read, context, partial);
  });
}

/// A kept answer needs no time, memory or workers: what is wrong with them is said all the same.
void checkBudgets(const CommonOptions &options) {
  (void)options.time();
  (void)options.memoryBytes();
  options.checkJobs();
}

int runScan(const ScanFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  checkBudgets(flags.common);
  checkAbstractFlags(flags);
  if (flags.compileCommands.empty()) {
    if (!flags.target.empty()) throw UsageError("--target: only with --compile-commands");
    if (flags.programs.empty())
      throw UsageError("no program given: name an executable linked by fathom-cc, a .bc or .ll "
                       "file, C files, or a database with --compile-commands");
    return scanProgram(flags, context);
  }
  return scanDatabase(flags, context,
                      [&](const ScanFlags &one) { return scanProgram(one, context); });
}

} // namespace

Run declareScan(CLI::App &app) {
  auto flags = std::make_shared<ScanFlags>();
  app.footer(
      "Without --print and --assertions, fathom scan reports defects that it cannot rule out: use "
      "after free, null\ndereferences, leaks, uninitialised reads and others. A report can be a "
      "false alarm; fathom confirm looks for a path\nthat shows it. --assertions proves checks of "
      "the program, or shows the states in which they may fail.\n\nexample:\n  fathom scan src/cut "
      "--sarif cut.sarif\n  fathom scan src/cut --assertions\n  fathom scan --compile-commands "
      "build/compile_commands.json");
  app.add_option("program", flags->programs,
                 "an executable that fathom-cc linked, a .bc or .ll file, or C files")
      ->type_name("PROGRAM");
  app.add_option("--compile-commands", flags->compileCommands,
                 "build and scan the programs and libraries of a compilation database")
      ->type_name("FILE");
  app.add_option("--target", flags->target, "with --compile-commands: only this program or library")
      ->type_name("NAME");
  app.add_option("--entry", flags->entry, "start at this function instead of main")
      ->type_name("FUNCTION");
  app.add_option("--kinds", flags->kinds, "look only for these kinds of defects (default: all)")
      ->delimiter(',')
      ->type_name("LIST");
  app.add_option("--sarif", flags->sarif, "also write the reports as SARIF 2.1.0")
      ->type_name("FILE");
  app.add_option("--baseline", flags->baseline,
                 "with --sarif: compare with this earlier document; marks new and missing reports")
      ->type_name("FILE");
  app.add_option("--most-reports", flags->mostReports, "at most N reports of each kind")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--print", flags->print, "print one analysis' result and exit: " + printerNames())
      ->type_name("WHAT[:FUNCTION]");
  app.add_flag("--assertions", flags->assertions,
               "prove assertions, accesses and divisions by abstract interpretation");
  app.add_option("--domain", flags->domain,
                 "with --assertions: abstract domain: intervals, zones, octagons, product")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--checks", flags->checks, "with --assertions, also: shift, overflow")
      ->delimiter(',')
      ->type_name("LIST");
  app.add_option("--call-depth", flags->callDepth,
                 "with --assertions: nested calls that are analysed in their caller's state")
      ->capture_default_str()
      ->type_name("N");
  app.add_flag(
      "--fail-on-findings", flags->common.failOnFindings,
      "exit with status 1 if there is a report; with --assertions, an alarm or definite failure");
  app.add_flag("--no-cache", flags->noCache,
               "neither read nor write the cache of results of earlier runs");
  app.add_option("--max-memory", flags->common.maxMemory,
                 "end the analysis when it uses more memory; default: 70 % of free memory")
      ->type_name("SIZE");
  flags->common.add(app, /*withOutput=*/false);
  withValues(app, "--kinds", defectKindNames());
  withValues(app, "--print", printerNames());
  withValues(app, "--domain", "intervals, zones, octagons or product");
  withValues(app, "--checks", "shift or overflow");
  return [flags](Context &context) { return runScan(*flags, context); };
}

} // namespace fathom::tool
