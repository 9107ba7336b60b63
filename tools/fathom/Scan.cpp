// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan: what an over-approximation of the whole program cannot rule out.
#include "ScanAbstract.h"
#include "ScanFlags.h"
#include "ScanReports.h"

#include "statics/front/BuildFacts.h"
#include "statics/front/Sizes.h"
#include "statics/pointers/Print.h"
#include "statics/valueflow/ValueFlow.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include "support/NumberText.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace fathom::tool {

namespace {

using Clock = std::chrono::steady_clock;

/// What --print can show. Each printer throws UsageError where the program lacks what was named.
struct Printer {
  const char *name;
  void (*print)(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                Context &context);
};

void printSizes(llvm::Module &module, const PrintRequest &, const ScanFlags &flags, Context &) {
  const statics::Sizes sizes = statics::sizesOf(module);
  fmt::print("{}: {}, {} of them its own, {}, {}, {}\n", flags.programs[0],
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

/// Sets `stop` when --max-time is over.
class Deadline {
public:
  explicit Deadline(std::chrono::milliseconds time) {
    if (time.count() == 0) return;
    timer_ = std::thread([this, time] {
      std::unique_lock lock(mutex_);
      if (!ended_.wait_for(lock, time, [this] { return isOver_; })) stop = true;
    });
  }
  ~Deadline() {
    {
      std::lock_guard lock(mutex_);
      isOver_ = true;
    }
    ended_.notify_all();
    if (timer_.joinable()) timer_.join();
  }
  std::atomic<bool> stop{false};

private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool isOver_ = false;
  std::thread timer_;
};

[[noreturn]] void tooLong(const ScanFlags &flags) {
  throw UsageError(fmt::format("--max-time {}: too short for the analysis of {}, which has no "
                               "partial result; give it more",
                               flags.common.maxTime, flags.programs[0]));
}

std::unique_ptr<statics::PointsTo> analyse(const statics::Facts &facts, const ScanFlags &flags,
                                           Context &context) {
  const auto begin = Clock::now();
  Deadline deadline(flags.common.time());
  auto pts = std::make_unique<statics::PointsTo>(facts);
  if (!statics::analysePointers(*pts, deadline.stop)) tooLong(flags);
  context.log.verbose(fmt::format(
      "points-to: {} nodes, {} merged, {} copies, {} waves, {} locations, {} sets, {:.2f} s",
      pts->stats.nodes, pts->stats.merged, pts->stats.copies, pts->stats.waves,
      pts->locations.count(), pts->sets.size(),
      std::chrono::duration<double>(Clock::now() - begin).count()));
  return pts;
}

template <std::string (*Text)(const statics::PointsTo &, statics::FunctionId)>
void printPointers(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                   Context &context) {
  requireFunction(module, request);
  const statics::Facts facts = orUsage(statics::buildFacts(module, flags.entry));
  const std::unique_ptr<statics::PointsTo> pts = analyse(facts, flags, context);
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

void analyseFlow(WholeFlow &whole, llvm::Module &module, const ScanFlags &flags, Context &context) {
  whole.facts = orUsage(statics::buildFacts(module, flags.entry));
  whole.pts = analyse(whole.facts, flags, context);
  const auto begin = Clock::now();
  whole.modRef = std::make_unique<statics::ModRef>(*whole.pts);
  const auto middle = Clock::now();
  whole.flow = std::make_unique<statics::ValueFlow>(*whole.pts, *whole.modRef);
  Deadline deadline(flags.common.time());
  if (!whole.flow->build(deadline.stop)) tooLong(flags);
  const auto seconds = [](auto from, auto to) {
    return std::chrono::duration<double>(to - from).count();
  };
  context.log.verbose(fmt::format("mod/ref: {:.2f} s; value flow: {} nodes, {} edges, {:.2f} s",
                                  seconds(begin, middle), whole.flow->graph().numNodes(),
                                  whole.flow->graph().numEdges(), seconds(middle, Clock::now())));
}

void printMemory(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                 Context &context) {
  requireFunction(module, request);
  WholeFlow whole;
  analyseFlow(whole, module, flags, context);
  forEachRequested(whole.facts, request, [&](statics::FunctionId id) {
    if (!whole.pts->isReached(id)) return;
    fputs(statics::printMemorySsa(*whole.pts, whole.flow->memory(id), id).c_str(), stdout);
  });
}

void printFlow(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
               Context &context) {
  requireFunction(module, request);
  WholeFlow whole;
  analyseFlow(whole, module, flags, context);
  forEachRequested(whole.facts, request, [&](statics::FunctionId id) {
    fputs(statics::printValueFlow(*whole.flow, id).c_str(), stdout);
  });
}

void printSummary(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                  Context &context) {
  requireFunction(module, request);
  WholeFlow whole;
  analyseFlow(whole, module, flags, context);
  statics::Reachability forward(whole.flow->graph(), statics::FlowDirection::Forward,
                                /*derived=*/false);
  forEachRequested(whole.facts, request, [&](statics::FunctionId id) {
    if (whole.pts->isReached(id))
      fputs(statics::printSummaries(*whole.flow, forward, id).c_str(), stdout);
  });
}

void printAssumed(llvm::Module &module, const PrintRequest &, const ScanFlags &flags,
                  Context &context) {
  const statics::Facts facts = orUsage(statics::buildFacts(module, flags.entry));
  fputs(statics::printAssumptions(*analyse(facts, flags, context)).c_str(), stdout);
}

const Printer kPrinters[] = {{"sizes", printSizes},
                             {"points-to", printPointers<statics::printPointsTo>},
                             {"call-graph", printPointers<statics::printCalls>},
                             {"memory-ssa", printMemory},
                             {"value-flow", printFlow},
                             {"summaries", printSummary},
                             {"assumptions", printAssumed},
                             {"abstract", printAbstract}};

std::string printerNames() {
  std::string names;
  for (const Printer &p : kPrinters) names += (names.empty() ? "" : ", ") + std::string(p.name);
  return names;
}

int runScan(const ScanFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  checkAbstractFlags(flags);
  if (flags.assertions) {
    if (!flags.print.empty()) throw UsageError("--assertions and --print exclude each other");
    llvm::LLVMContext llvmContext;
    const std::unique_ptr<llvm::Module> module = loadScanned(llvmContext, flags);
    return scanAssertions(*module, flags, context);
  }
  checkReportFlags(flags);
  if (flags.print.empty()) {
    llvm::LLVMContext llvmContext;
    const std::unique_ptr<llvm::Module> module = loadScanned(llvmContext, flags);
    WholeFlow whole;
    analyseFlow(whole, *module, flags, context);
    return scanReports(*module, *whole.flow, flags, context);
  }
  const PrintRequest request = printRequest(flags.print);
  for (const Printer &p : kPrinters) {
    if (request.what != p.name) continue;
    llvm::LLVMContext llvmContext;
    std::unique_ptr<llvm::Module> module = loadScanned(llvmContext, flags);
    p.print(*module, request, flags, context);
    return kDone;
  }
  throw UsageError(fmt::format("--print {}: expected {}, or one of them with :FUNCTION",
                               flags.print, printerNames()));
}

} // namespace

Run declareScan(CLI::App &app) {
  auto flags = std::make_shared<ScanFlags>();
  app.footer("example:\n  fathom scan src/cut --sarif cut.sarif");
  app.add_option("program", flags->programs,
                 "an executable that fathom-cc linked, a .bc or .ll file, or C files")
      ->required()
      ->type_name("PROGRAM");
  app.add_option("--entry", flags->entry, "the function that is called first")
      ->type_name("FUNCTION");
  app.add_option("--kinds", flags->kinds, "the kinds of defects to look for; all without it")
      ->delimiter(',')
      ->type_name("LIST");
  app.add_option("--sarif", flags->sarif, "also write the reports as SARIF 2.1.0")
      ->type_name("FILE");
  app.add_option("--baseline", flags->baseline,
                 "with --sarif: an earlier document; says which reports are new and which are gone")
      ->type_name("FILE");
  app.add_option("--most-reports", flags->mostReports, "of each kind")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--print", flags->print, "print one analysis' result and exit: " + printerNames())
      ->type_name("WHAT[:FUNCTION]");
  app.add_flag("--assertions", flags->assertions,
               "prove assertions, accesses and divisions by abstract interpretation");
  app.add_option("--domain", flags->domain,
                 "with --assertions: intervals, zones, octagons, product")
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
      "exit status 1 if there is a report; with --assertions, an alarm or definite failure");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runScan(*flags, context); };
}

} // namespace fathom::tool
