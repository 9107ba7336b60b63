// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/ScanPrint.h"

#include "report/ScanReport.h"
#include "run/Failure.h"
#include "run/scan/FindReports.h"
#include "run/scan/LoadScanned.h"
#include "run/scan/ProgramFlow.h"
#include "run/scan/ScanAssertions.h"
#include "statics/checkers/Precision.h"
#include "statics/front/Sizes.h"
#include "statics/pointers/Print.h"
#include "support/NumberText.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>

namespace fathom::run {

namespace {

/// What a printer has, and what it makes.
struct Printing {
  const llvm::Module &module;
  const PrintRequest &request;
  const ScanOptions &options;
  AnalysisBudget &budget;
  Session &session;
  PrintedAnalysis &out;
};

} // namespace

struct Printer {
  const char *name;
  llvm::Error (*print)(Printing &p);
};

namespace {

/// 0: it cannot be read.
uint64_t linesOf(const std::string &file) {
  uint64_t lines = 0;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines++;
  return lines;
}

llvm::Error printSizes(Printing &p) {
  p.budget.finish();
  const statics::Sizes sizes = statics::sizesOf(p.module);
  uint64_t lines = 0;
  std::string files;
  for (const std::string &file : sizes.ownFiles) {
    const uint64_t here = linesOf(file);
    lines += here;
    files += fmt::format("  {}: {}\n", file, counted(here, "line"));
  }
  p.out.text =
      fmt::format("{}: {}, {} of them its own, {}, {}, {}; {} in {} of its own\n", p.options.name(),
                  counted(sizes.functions, "function"), grouped(double(sizes.ownFunctions)),
                  counted(sizes.blocks, "block"), counted(sizes.instructions, "instruction"),
                  counted(sizes.globals, "global"), counted(lines, "line"),
                  counted(sizes.ownFiles.size(), "file"));
  if (p.request.isDetailed) p.out.text += files;
  return llvm::Error::success();
}

/// Said before anything is analysed.
llvm::Error requireFunction(const Printing &p) {
  const PrintRequest &request = p.request;
  if (request.function.empty()) return llvm::Error::success();
  const llvm::Function *f = p.module.getFunction(request.function);
  if (f && !f->isDeclaration()) return llvm::Error::success();
  return usageError(fmt::format("--print {}:{}: the program has no function {}", request.text,
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

llvm::Error pointersOf(ProgramPointers &whole, Printing &p) {
  return analysePointers(whole, p.module, p.options.entry, p.budget, p.session);
}

llvm::Error flowOf(ProgramFlow &whole, Printing &p) {
  return analyseFlow(whole, p.module, p.options.entry, p.budget, p.session);
}

template <std::string (*Text)(const statics::PointsTo &, statics::FunctionId)>
llvm::Error printPointers(Printing &p) {
  if (llvm::Error e = requireFunction(p)) return e;
  ProgramPointers whole;
  if (llvm::Error e = pointersOf(whole, p)) return e;
  p.out.partial = p.budget.report();
  forEachRequested(whole.facts, p.request,
                   [&](statics::FunctionId id) { p.out.text += Text(*whole.pts, id); });
  return llvm::Error::success();
}

llvm::Error printMemory(Printing &p) {
  if (llvm::Error e = requireFunction(p)) return e;
  ProgramFlow whole;
  if (llvm::Error e = flowOf(whole, p)) return e;
  p.out.partial = p.budget.report();
  forEachRequested(whole.facts, p.request, [&](statics::FunctionId id) {
    if (!whole.flow->hasMemory(id)) return;
    p.out.text += statics::printMemorySsa(*whole.pts, whole.flow->memory(id), id);
  });
  return llvm::Error::success();
}

llvm::Error printFlow(Printing &p) {
  if (llvm::Error e = requireFunction(p)) return e;
  ProgramFlow whole;
  if (llvm::Error e = flowOf(whole, p)) return e;
  p.out.partial = p.budget.report();
  forEachRequested(whole.facts, p.request, [&](statics::FunctionId id) {
    p.out.text += statics::printValueFlow(*whole.flow, id);
  });
  return llvm::Error::success();
}

/// What local heaps report, each report with its certainty before it.
llvm::Error printHeaps(Printing &p) {
  if (llvm::Error e = requireFunction(p)) return e;
  ProgramFlow whole;
  if (llvm::Error e = flowOf(whole, p)) return e;
  statics::View view(*whole.flow);
  const statics::heap::HeapResult result = runLocalHeaps(view, p.options.jobs, p.budget, p.session);
  p.out.partial = p.budget.report();
  report::SourceLines sources;
  for (const statics::heap::HeapIssue &issue : result.issues) {
    statics::Report report = statics::heap::reportOf(view, issue);
    report::takeSidesOfSource(report, sources);
    if (!p.request.function.empty() && report.sink().function != p.request.function) continue;
    p.out.text +=
        fmt::format("{}: {}", statics::name(issue.certainty), report::scanText(report, sources));
  }
  return llvm::Error::success();
}

llvm::Error printSummary(Printing &p) {
  if (llvm::Error e = requireFunction(p)) return e;
  ProgramFlow whole;
  if (llvm::Error e = flowOf(whole, p)) return e;
  const auto begin = std::chrono::steady_clock::now();
  p.budget.begin("summaries");
  statics::Reachability forward(whole.flow->graph(), statics::FlowDirection::Forward,
                                /*derived=*/false, &p.budget.stop());
  // A budget may end this too, and the first line says so.
  forEachRequested(whole.facts, p.request, [&](statics::FunctionId id) {
    if (whole.flow->hasMemory(id) && !p.budget.stop())
      p.out.text += statics::printSummaries(*whole.flow, forward, id);
  });
  p.session.observer.verbose(
      fmt::format("summaries: {:.2f} s",
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()));
  p.out.partial = p.budget.report();
  return llvm::Error::success();
}

llvm::Error printLevels(Printing &p) {
  ProgramFlow whole;
  if (llvm::Error e = flowOf(whole, p)) return e;
  p.budget.begin("precision");
  statics::View view(*whole.flow);
  const statics::Precision precision = statics::measurePrecision(view, {}, p.budget.stop());
  p.out.partial = p.budget.report();
  p.out.text = statics::printPrecision(view, precision, p.request.isDetailed);
  return llvm::Error::success();
}

llvm::Error printAssumed(Printing &p) {
  ProgramPointers whole;
  if (llvm::Error e = pointersOf(whole, p)) return e;
  p.out.partial = p.budget.report();
  p.out.text = statics::printAssumptions(*whole.pts);
  return llvm::Error::success();
}

llvm::Error printStates(Printing &p) {
  p.out.isAlwaysTold = true;
  AbstractStates states = abstractStates(p.module, p.options, p.request.function,
                                         p.request.isDetailed, p.budget, p.session);
  p.out.partial = std::move(states.partial);
  p.out.text = std::move(states.text);
  if (states.isFound || p.request.function.empty()) return llvm::Error::success();
  return usageError(fmt::format("--print abstract:{}: the program has no function of its own with "
                                "this name",
                                p.request.function));
}

constexpr Printer kPrinters[] = {{"sizes", printSizes},
                                 {"points-to", printPointers<statics::printPointsTo>},
                                 {"call-graph", printPointers<statics::printCalls>},
                                 {"memory-ssa", printMemory},
                                 {"value-flow", printFlow},
                                 {"summaries", printSummary},
                                 {"assumptions", printAssumed},
                                 {"local-heaps", printHeaps},
                                 {"precision", printLevels},
                                 {"abstract", printStates}};

} // namespace

std::string printerNames() {
  std::string names;
  for (const Printer &p : kPrinters) names += (names.empty() ? "" : ", ") + std::string(p.name);
  return names;
}

llvm::Expected<PrintRequest> printRequest(const std::string &print) {
  const size_t colon = print.find(':');
  PrintRequest out;
  out.text = print.substr(0, colon);
  if (colon != std::string::npos) {
    if (colon + 1 == print.size())
      return usageError(
          fmt::format("--print {}: expected the name of a function after the colon", print));
    out.function = print.substr(colon + 1);
  }
  for (const Printer &p : kPrinters)
    if (out.text == p.name) out.printer = &p;
  if (!out.printer)
    return usageError(fmt::format("--print {}: expected {}, or one of them with :FUNCTION", print,
                                  printerNames()));
  return out;
}

llvm::Expected<PrintedAnalysis> printAnalysis(const ScanOptions &options,
                                              const PrintRequest &request, Session &session) {
  AnalysisBudget budget(options.limits, session);
  budget.begin("reading the program");
  llvm::LLVMContext context;
  auto module = loadScanned(context, options.programs, options.entry);
  if (!module) return module.takeError();
  PrintedAnalysis out;
  Printing printing{**module, request, options, budget, session, out};
  if (llvm::Error e = request.printer->print(printing)) return std::move(e);
  out.isPartial = budget.isPartial();
  return out;
}

} // namespace fathom::run
