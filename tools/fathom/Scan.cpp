// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan: what an over-approximation of the whole program cannot rule out.
#include "ScanAbstract.h"
#include "ScanFlags.h"

#include "statics/front/Sizes.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include "support/NumberText.h"

#include <fmt/format.h>

namespace fathom::tool {

namespace {

/// What --print can show. Each printer throws UsageError where the program lacks what was named.
struct Printer {
  const char *name;
  void (*print)(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags);
};

void printSizes(llvm::Module &module, const PrintRequest &, const ScanFlags &flags) {
  const statics::Sizes sizes = statics::sizesOf(module);
  fmt::print("{}: {}, {} of them its own, {}, {}, {}\n", flags.programs[0],
             counted(sizes.functions, "function"), grouped(double(sizes.ownFunctions)),
             counted(sizes.blocks, "block"), counted(sizes.instructions, "instruction"),
             counted(sizes.globals, "global"));
}

const Printer kPrinters[] = {{"sizes", printSizes}, {"abstract", printAbstract}};

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
  const PrintRequest request = printRequest(flags.print.empty() ? "sizes" : flags.print);
  for (const Printer &p : kPrinters) {
    if (request.what != p.name) continue;
    llvm::LLVMContext llvmContext;
    std::unique_ptr<llvm::Module> module = loadScanned(llvmContext, flags);
    p.print(*module, request, flags);
    return kDone;
  }
  throw UsageError(fmt::format("--print {}: expected {}, or one of them with :FUNCTION",
                               flags.print, printerNames()));
}

} // namespace

Run declareScan(CLI::App &app) {
  auto flags = std::make_shared<ScanFlags>();
  app.footer("example:\n  fathom scan src/cut --print points-to:main");
  app.add_option("program", flags->programs,
                 "an executable that fathom-cc linked, a .bc or .ll file, or C files")
      ->required()
      ->type_name("PROGRAM");
  app.add_option("--entry", flags->entry, "the function that is called first")
      ->type_name("FUNCTION");
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
  app.add_flag("--fail-on-findings", flags->common.failOnFindings,
               "with --assertions: exit status 1 if something is an alarm or definite");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runScan(*flags, context); };
}

} // namespace fathom::tool
