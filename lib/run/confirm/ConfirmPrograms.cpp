// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/confirm/ConfirmPrograms.h"

#include "confirm/FlowSources.h"
#include "native/VariantCache.h"
#include "program/Load.h"
#include "run/AnalysisBudget.h"
#include "run/Database.h"
#include "run/Failure.h"
#include "run/HashFile.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "run/scan/LoadScanned.h"
#include "statics/front/BuildFacts.h"
#include "statics/pointers/ModRef.h"
#include "statics/pointers/PointsTo.h"
#include "support/OwnFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fathom::run {

static llvm::Expected<std::vector<ConfirmedProgram>> databasePrograms(const ConfirmRequest &request,
                                                                      Session &session) {
  llvm::Expected<program::DatabasePrograms> built =
      buildPrograms({request.compileCommands, request.programs, request.jobs}, session);
  if (!built) return built.takeError();
  auto programs = programsNamed(*built, request.target);
  if (!programs) return programs.takeError();
  std::vector<ConfirmedProgram> out;
  for (const program::DatabaseProgram &program : *programs)
    out.push_back({program.name, {program.bitcode}, built->folder});
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

llvm::Expected<std::vector<ConfirmedProgram>> programsOf(const ConfirmRequest &request,
                                                         Session &session) {
  if (!request.compileCommands.empty()) return databasePrograms(request, session);
  if (!request.target.empty()) return usageError("--target: only with --compile-commands");
  if (request.programs.empty())
    return usageError("no program given: name an executable linked by fathom-cc, a .bc or .ll "
                      "file, C files, or a database with --compile-commands");
  if (llvm::Error e = requireRegularPrograms(request.programs)) return std::move(e);
  std::vector<ConfirmedProgram> out;
  ConfirmedProgram sources;
  for (const std::string &name : request.programs) {
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

std::string keptFile(const ConfirmedProgram &program, const ConfirmRequest &request) {
  if (!request.usesCache) return "";
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
  const confirm::ConfirmOptions &search = request.search;
  hash.update(fmt::format(
      "{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", program.name,
      confirm::kStrategyNames.nameOf(search.strategy), confirm::kCallsNames.nameOf(search.calls),
      search.times.callers.count(), search.times.deeper.count(), search.times.unbounded.count(),
      search.times.other.count(), search.times.shared.count(), search.loopBound, search.maxDepth,
      search.slices, search.asksFirst, search.assumesDistinctPointers));
  hash.update(fmt::format("{}\n{}\n{}", fmt::join(request.symbolic, "\n"), request.hasArguments,
                          fmt::join(request.arguments, "\n")));
  for (const explore::Seed &seed : search.seeds) {
    hash.update(fmt::format("{}\n{}\n{}\n", seed.raw, fmt::join(seed.failedAllocations, ","),
                            seed.data.size()));
    hash.update(seed.data);
    for (const auto &[name, data] : seed.objects) {
      hash.update(fmt::format("{}\n{}\n", name, data.size()));
      hash.update(data);
    }
  }
  if (!hashFile(hash, bitcode->path) || !hashFile(hash, ownFile()) ||
      (!here.runtimeBitcode.empty() && !hashFile(hash, here.runtimeBitcode)))
    return "";
  return fmt::format("{}/confirm/{}.jsonl", native::defaultCache(),
                     llvm::toHex(hash.final<16>(), /*LowerCase=*/true));
}

std::chrono::milliseconds partOf(const confirm::Deadline &until, int parts) {
  using std::chrono::milliseconds;
  const std::optional<milliseconds> left = confirm::leftUntil(until);
  return left ? std::max(*left / parts, milliseconds(1)) : milliseconds(0);
}

namespace {

/// The value flow of a program, once it was asked for.
class SourcesByFlow {
public:
  SourcesByFlow(std::vector<std::string> inputs, Limits limits, confirm::Deadline until,
                Session &session)
      : inputs_(std::move(inputs)), limits_(std::move(limits)), until_(until), session_(session) {
    limits_.memoryBytes.reset(); // it is for the searches
  }

  confirm::GuessedSources of(const confirm::Defect &defect) {
    if (!isBuilt_) {
      isBuilt_ = true;
      if (llvm::Error e = build()) {
        isPartial_ = true;
        session_.observer.warn("reports without a source: " + llvm::toString(std::move(e)));
      }
    }
    return {flow_ ? flow_->of(defect) : std::vector<std::vector<confirm::Place>>(), isPartial_};
  }

private:
  llvm::Error build() {
    limits_.time = partOf(until_, 3);
    // Its thread ends with it: explorations want one thread.
    AnalysisBudget budget(limits_, session_);
    budget.begin("value flow, for reports without a source");
    llvm::LLVMContext context;
    auto module = loadScanned(context, inputs_);
    if (!module) return module.takeError();
    llvm::Expected<statics::Facts> facts = statics::buildFacts(**module, "");
    if (!facts) return facts.takeError();
    statics::PointsTo pts(*facts);
    statics::analysePointers(pts, budget.stop());
    const statics::ModRef modRef(pts, &budget.stop());
    statics::ValueFlow flow(pts, modRef);
    flow.build(budget.stop());
    flow_ = std::make_unique<confirm::FlowSources>(flow, budget.stop());
    budget.finish();
    isPartial_ = budget.isPartial();
    if (isPartial_)
      session_.observer.warn("reports without a source: the value flow is not complete, so "
                             "sources are missing (" +
                             budget.limit() + ")");
    return llvm::Error::success();
  }

  const std::vector<std::string> inputs_;
  Limits limits_;
  const confirm::Deadline until_;
  Session &session_;
  std::unique_ptr<confirm::FlowSources> flow_;
  bool isBuilt_ = false, isPartial_ = false;
};

} // namespace

std::function<confirm::GuessedSources(const confirm::Defect &)>
flowSources(const ConfirmedProgram &program, const Limits &limits, const confirm::Deadline &until,
            Session &session) {
  auto sources = std::make_shared<SourcesByFlow>(program.inputs, limits, until, session);
  return [sources](const confirm::Defect &defect) { return sources->of(defect); };
}

} // namespace fathom::run
