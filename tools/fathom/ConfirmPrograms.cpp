// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConfirmPrograms.h"

#include "confirm/FlowSources.h"
#include "native/VariantCache.h"
#include "program/Load.h"
#include "run/AnalysisBudget.h"
#include "run/Database.h"
#include "run/HashFile.h"
#include "run/scan/LoadScanned.h"
#include "statics/front/BuildFacts.h"
#include "statics/pointers/ModRef.h"
#include "statics/pointers/PointsTo.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fathom::tool {

static std::vector<ConfirmedProgram> databasePrograms(const ConfirmFlags &flags, Context &context) {
  run::Session session = context.session();
  const program::DatabasePrograms built = orThrow(run::buildPrograms(
      {flags.compileCommands, flags.explore.programs, flags.explore.common.jobs}, session));
  std::vector<ConfirmedProgram> out;
  std::vector<std::string> names;
  for (const program::DatabaseProgram &program : built.programs) {
    names.push_back(program.name);
    if (flags.target.empty() || flags.target == program.name)
      out.push_back({program.name, {program.bitcode}, built.folder});
  }
  if (out.empty())
    throw UsageError(
        fmt::format("--target {}: expected one of {}", flags.target, fmt::join(names, ", ")));
  return out;
}

/// C files are compiled once, and the bitcode is what everything reads. What does not compile is
/// left as it is: the loader says what is wrong.
static void compileSources(ConfirmedProgram &program) {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  load.mayBeLibrary = true;
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(program.inputs, load);
  if (!bitcode) return llvm::consumeError(bitcode.takeError());
  if (!bitcode->folder) return;
  program.inputs = {bitcode->path};
  program.folder = bitcode->folder;
}

std::vector<ConfirmedProgram> programsOf(const ConfirmFlags &flags, Context &context) {
  if (!flags.compileCommands.empty()) return databasePrograms(flags, context);
  if (!flags.target.empty()) throw UsageError("--target: only with --compile-commands");
  if (flags.explore.programs.empty())
    throw UsageError("no program given: name an executable linked by fathom-cc, a .bc or .ll "
                     "file, C files, or a database with --compile-commands");
  requireRegularPrograms(flags.explore.programs);
  std::vector<ConfirmedProgram> out;
  ConfirmedProgram sources;
  for (const std::string &name : flags.explore.programs) {
    if (!llvm::StringRef(name).ends_with(".c")) {
      out.push_back({name, {name}, nullptr});
      continue;
    }
    if (sources.inputs.empty()) sources.name = name;
    sources.inputs.push_back(name);
  }
  if (!sources.inputs.empty()) {
    compileSources(sources);
    out.push_back(std::move(sources));
  }
  return out;
}

std::string keptFile(const ConfirmedProgram &program, const ConfirmFlags &flags,
                     const Invocation &invocation) {
  if (flags.noCache) return "";
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.mayBeLibrary = true;
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(program.inputs, load);
  if (!bitcode) {
    llvm::consumeError(bitcode.takeError());
    return "";
  }
  llvm::BLAKE3 hash;
  // Limits are not in it: see confirm::QuestionLimits.
  const ConfirmSearchFlags &search = flags.search;
  hash.update(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", program.name,
                          search.strategy, search.calls, search.callersTime, search.deeperTime,
                          search.unboundedTime, search.otherSourceTime, search.loopBound,
                          search.maxDepth, search.noSlice, search.paperInit));
  hash.update(fmt::format("{}\n{}\n{}", fmt::join(invocation.symbolic, "\n"),
                          invocation.hasSeparator, fmt::join(invocation.arguments, "\n")));
  if (!run::hashFile(hash, bitcode->path) || !run::hashFile(hash, "/proc/self/exe") ||
      (!here.runtimeBitcode.empty() && !run::hashFile(hash, here.runtimeBitcode)))
    return "";
  return fmt::format("{}/confirm/{}.jsonl", native::defaultCache(),
                     llvm::toHex(hash.final<16>(), /*LowerCase=*/true));
}

std::function<confirm::GuessedSources(const confirm::Defect &)>
flowSources(const ConfirmedProgram &program, const ConfirmFlags &flags,
            const confirm::Deadline &until, Context &context) {
  struct Known {
    std::unique_ptr<confirm::FlowSources> flow;
    bool isPartial = false;
  };
  auto known = std::make_shared<Known>();
  return [known, inputs = program.inputs, &common = flags.explore.common, until,
          &context](const confirm::Defect &defect) -> confirm::GuessedSources {
    if (!known->flow) {
      run::Limits limits = common.limits();
      limits.memoryBytes.reset(); // it is for the searches
      limits.time = partOf(until, 3);
      run::Session session = context.session();
      // Its thread ends with it: explorations want one thread.
      run::AnalysisBudget budget(limits, session);
      budget.begin("value flow, for reports without a source");
      llvm::LLVMContext llvm;
      const std::unique_ptr<llvm::Module> module = orThrow(run::loadScanned(llvm, inputs));
      const statics::Facts facts = orUsage(statics::buildFacts(*module, ""));
      statics::PointsTo pts(facts);
      statics::analysePointers(pts, budget.stop());
      const statics::ModRef modRef(pts, &budget.stop());
      statics::ValueFlow flow(pts, modRef);
      flow.build(budget.stop());
      known->flow = std::make_unique<confirm::FlowSources>(flow, budget.stop());
      budget.finish();
      known->isPartial = budget.isPartial();
      if (known->isPartial)
        context.log.warn("reports without a source: the value flow is not complete, so sources are "
                         "missing (" +
                         budget.limit() + ")");
    }
    return {known->flow->of(defect), known->isPartial};
  };
}

} // namespace fathom::tool
