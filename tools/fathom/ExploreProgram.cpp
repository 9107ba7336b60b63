// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExploreProgram.h"

#include "explore/external/ExternalEffects.h"
#include "explore/external/ExternalPolicy.h"
#include "native/VariantCache.h"
#include "program/FunctionsVariant.h"
#include "program/GlobalRanges.h"
#include "program/Load.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <unistd.h>

namespace fathom::tool {

namespace {

bool isSource(llvm::StringRef file) { return file.ends_with(".c"); }

bool hasSources(const std::vector<std::string> &programs) {
  return llvm::any_of(programs, isSource);
}

/// --external-functions. A name that is written out must be there; a group is what there is of it.
void markExternal(program::Program &program, const explore::ExploreOptions &options) {
  std::vector<std::string> names;
  explore::expandFunctionNames(options.externalFunctions, names); // checked: explore::validate
  for (const std::string &name : names)
    if (!program.find(name) &&
        ("," + options.externalFunctions + ",").find("," + name + ",") != std::string::npos)
      throw UsageError(fmt::format("--external-functions {}: the program has no such function with "
                                   "code; expected one that it defines, or @string",
                                   name));
  program::makeExternal(program, names);
}

/// The variant of the program that executes its functions for the engine.
llvm::Expected<std::string> functionsVariant(const ExploreFlags &flags) {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  load.entry = flags.options.entry;
  load.allowUndefined = true;
  program::BitcodeFile bitcode = orUsage(program::findBitcode(flags.programs, load));
  native::VariantRecipe recipe{
      "functions", program::kFunctionsVariantVersion, /*allowUndefined=*/true,
      [&](const std::string &objectFile) -> llvm::Expected<std::string> {
        if (llvm::Error e = program::writeFunctionsObject(bitcode.path, objectFile, load))
          return std::move(e);
        return std::string("functions");
      }};
  llvm::Expected<native::CachedVariant> variant =
      native::cachedVariant(bitcode.path, variantTools("functions.o"), recipe);
  if (!variant) return variant.takeError();
  return variant->executable;
}

/// A harness's main asks for no standard input, and for arguments only on behalf of
/// LLVMFuzzerInitialize: what describes them would change nothing.
void refuseUnusedInputs(const llvm::Module &module, const ExploreFlags &flags) {
  if (!flags.options.entry.empty() || !program::isFuzzHarness(module)) return;
  const llvm::Function *initialize = module.getFunction("LLVMFuzzerInitialize");
  const bool takesArguments = initialize && !initialize->isDeclaration();
  for (const std::string &word : flags.options.arguments)
    if (word == "--sym-stdin" || (word.starts_with("--sym-arg") && !takesArguments))
      throw UsageError(
          fmt::format("{}: {} is a harness: the input of LLVMFuzzerTestOneInput is already "
                      "symbolic, up to --fuzz-size bytes ({}); leave {} out",
                      word, flags.programs[0], flags.options.fuzzBytes, word));
}

} // namespace

void makeFunctionsVariant(const program::Program &program, ExploreFlags &flags, Log &log) {
  explore::ExploreOptions &options = flags.options;
  const bool hasAssembly = llvm::any_of(
      program.externals, [](const program::External &e) { return !e.assembly.empty(); });
  if (options.externalFunctions.empty() && !hasAssembly) return;
  llvm::Expected<std::string> variant = functionsVariant(flags);
  if (variant) {
    options.functionsVariant = std::move(*variant);
    return;
  }
  const std::string why = llvm::toString(variant.takeError());
  if (!options.externalFunctions.empty()) throw UsageError(why);
  log.warn(fmt::format("{}: paths end at inline assembly because it cannot be executed: {}",
                       flags.programs[0], why));
}

/// A program that cannot be loaded, for the reason `why`, which names the bitcode.
[[noreturn]] static void refuseProgram(const ExploreFlags &flags, const std::string &why) {
  if (!hasSources(flags.programs)) throw UsageError(why);
  const std::string sources = fmt::format("{}", fmt::join(flags.programs, " "));
  const size_t noFunction = why.find("' has no function '");
  if (noFunction != std::string::npos)
    throw UsageError(fmt::format("'{}{} (the compiler leaves out a static function that nobody "
                                 "calls)",
                                 sources, why.substr(noFunction)));
  if (why.find("does not compile") == std::string::npos) throw UsageError(why);
  throw UsageError(fmt::format(
      "{}; if the file needs other files, options or libraries, compile it "
      "first: fathom-cc -g {} ... -o PROGRAM, then "
      "fathom explore PROGRAM{}",
      why, sources, flags.options.entry.empty() ? "" : " --entry " + flags.options.entry));
}

program::Program loadExplored(const ExploreFlags &flags, Log &log,
                              const std::function<void(const llvm::Module &)> &look) {
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.runtimeBitcode = here.runtimeBitcode;
  load.entry = flags.options.entry;
  load.allowUndefined = !flags.options.libraries.empty();
  load.mayBeLibrary = flags.mayBeLibrary;
  load.assembly = program::LoadOptions::Assembly::Declared;
  explore::ExternalPolicy policy;
  explore::ExternalPolicy::make(flags.options, policy); // checked: explore::validate
  load.lowerIntrinsics = !policy.deferVectors;
  if (load.runtimeBitcode.empty())
    log.verbose(
        fmt::format("no runtime.bc below {}: system calls will not be modelled", here.build));
  // The module is freed before the exploration starts.
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> loaded =
      program::loadProgram(context, flags.programs, load);
  if (!loaded) refuseProgram(flags, llvm::toString(loaded.takeError()));
  std::unique_ptr<llvm::Module> module = std::move(*loaded);
  const std::string linkedWith = program::sysrootOf(*module);
  if (!linkedWith.empty() && !here.sysrootVersion.empty() && linkedWith != here.sysrootVersion)
    log.warn(fmt::format("{}: linked with sysroot version {}, but this one is {}: "
                         "replayed tests can differ; link it again with fathom-cc",
                         flags.programs[0], linkedWith, here.sysrootVersion));
  refuseUnusedInputs(*module, flags);
  orUsage(program::prepareModule(*module, load));
  if (look) look(*module);
  program::Program program = orUsage(program::decode(*module));
  if (flags.options.entryMemory != explore::EntryMemory::Objects)
    program::noteRanges(program::rangesOfGlobals(*module), program);
  markExternal(program, flags.options);
  log.verbose(fmt::format("{}: {} functions, {} branches of its own", flags.programs[0],
                          program.functions.size(), program.ownBranches));
  return program;
}

void printCode(const program::Program &program, const std::string &what) {
  std::string only = what.size() > 5 && what.compare(0, 5, "code:") == 0 ? what.substr(5) : "";
  if (only.empty() && what != "code")
    throw UsageError(fmt::format("--print {}: expected code or code:FUNCTION", what));
  if (!only.empty() && !program.find(only))
    throw UsageError(fmt::format("--print {}: the program has no function {}", what, only));
  for (const program::FunctionCode &f : program.functions)
    if (only.empty() ? f.own : f.name == only)
      fputs(program::printFunction(program, f).c_str(), stdout);
}

std::string nativeProgram(const std::vector<std::string> &programs) {
  if (programs.size() != 1) return "";
  llvm::StringRef name = programs[0];
  if (name.ends_with(".c") || name.ends_with(".ll")) return "";
  name.consume_back(".bc");
  std::string path = name.str();
  return access(path.c_str(), X_OK) == 0 && !llvm::sys::fs::is_directory(path) ? absolutePath(path)
                                                                               : "";
}

} // namespace fathom::tool
