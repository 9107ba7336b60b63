// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explore/LoadExplored.h"

#include "explore/external/ExternalEffects.h"
#include "explore/external/ExternalPolicy.h"
#include "native/VariantCache.h"
#include "program/FunctionsVariant.h"
#include "program/GlobalRanges.h"
#include "program/Load.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <unistd.h>

namespace fathom::run {

namespace {

bool isSource(llvm::StringRef file) { return file.ends_with(".c"); }

bool hasSources(const std::vector<std::string> &programs) {
  return llvm::any_of(programs, isSource);
}

/// --external-functions. A name that is written out must be there; a group is what there is of it.
llvm::Error markExternal(program::Program &program, const explore::ExploreOptions &options) {
  std::vector<std::string> names;
  explore::expandFunctionNames(options.externalFunctions, names); // checked: explore::validate
  for (const std::string &name : names)
    if (!program.find(name) &&
        ("," + options.externalFunctions + ",").find("," + name + ",") != std::string::npos)
      return usageError(
          fmt::format("--external-functions {}: the program has no such function with "
                      "code; expected one that it defines, or @string",
                      name));
  program::makeExternal(program, names);
  return llvm::Error::success();
}

/// The variant of the program that executes its functions for the engine.
llvm::Expected<std::string> functionsVariant(const std::vector<std::string> &programs,
                                             const std::string &entry) {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  load.entry = entry;
  load.allowUndefined = true;
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(programs, load);
  if (!bitcode) return bitcode.takeError();
  llvm::Expected<native::VariantTools> tools = variantTools("functions.o");
  if (!tools) return tools.takeError();
  native::VariantRecipe recipe{
      "functions", program::kFunctionsVariantVersion, /*allowUndefined=*/true,
      [&](const std::string &objectFile) -> llvm::Expected<std::string> {
        if (llvm::Error e = program::writeFunctionsObject(bitcode->path, objectFile, load))
          return std::move(e);
        return std::string("functions");
      }};
  llvm::Expected<native::CachedVariant> variant =
      native::cachedVariant(bitcode->path, *tools, recipe);
  if (!variant) return variant.takeError();
  return variant->executable;
}

/// A harness's main asks for no standard input, and for arguments only on behalf of
/// LLVMFuzzerInitialize: what describes them would change nothing.
llvm::Error refuseUnusedInputs(const llvm::Module &module, const std::vector<std::string> &programs,
                               const explore::ExploreOptions &options) {
  if (!options.entry.empty() || !program::isFuzzHarness(module)) return llvm::Error::success();
  const llvm::Function *initialize = module.getFunction("LLVMFuzzerInitialize");
  const bool takesArguments = initialize && !initialize->isDeclaration();
  for (const std::string &word : options.arguments)
    if (word == "--sym-stdin" || (word.starts_with("--sym-arg") && !takesArguments))
      return usageError(
          fmt::format("{}: {} is a harness: the input of LLVMFuzzerTestOneInput is already "
                      "symbolic, up to --fuzz-size bytes ({}); leave {} out",
                      word, programs[0], options.fuzzBytes, word));
  return llvm::Error::success();
}

} // namespace

llvm::Error makeFunctionsVariant(const program::Program &program,
                                 const std::vector<std::string> &programs,
                                 explore::ExploreOptions &options, Session &session) {
  const bool hasAssembly = llvm::any_of(
      program.externals, [](const program::External &e) { return !e.assembly.empty(); });
  if (options.externalFunctions.empty() && !hasAssembly) return llvm::Error::success();
  llvm::Expected<std::string> variant = functionsVariant(programs, options.entry);
  if (variant) {
    options.functionsVariant = std::move(*variant);
    return llvm::Error::success();
  }
  const std::string why = llvm::toString(variant.takeError());
  if (!options.externalFunctions.empty()) return usageError(why);
  session.observer.warn(fmt::format(
      "{}: paths end at inline assembly because it cannot be executed: {}", programs[0], why));
  return llvm::Error::success();
}

/// A program that cannot be loaded, for the reason `why`, which names the bitcode.
static llvm::Error refusalOf(const std::vector<std::string> &programs, const std::string &entry,
                             const std::string &why) {
  if (!hasSources(programs)) return usageError(why);
  const std::string sources = fmt::format("{}", fmt::join(programs, " "));
  const size_t noFunction = why.find("' has no function '");
  if (noFunction != std::string::npos)
    return usageError(fmt::format("'{}{} (the compiler leaves out a static function that nothing "
                                  "calls)",
                                  sources, why.substr(noFunction)));
  if (why.find("does not compile") == std::string::npos) return usageError(why);
  return usageError(
      fmt::format("{}; if the file needs other files, options or libraries, compile it "
                  "first: fathom-cc -g {} ... -o PROGRAM, then "
                  "fathom explore PROGRAM{}",
                  why, sources, entry.empty() ? "" : " --entry " + entry));
}

llvm::Expected<program::Program>
loadExplored(const std::vector<std::string> &programs, const explore::ExploreOptions &options,
             bool mayBeLibrary, Session &session,
             const std::function<void(const llvm::Module &)> &look) {
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.runtimeBitcode = here.runtimeBitcode;
  load.entry = options.entry;
  load.allowUndefined = !options.libraries.empty();
  load.mayBeLibrary = mayBeLibrary;
  load.assembly = program::LoadOptions::Assembly::Declared;
  explore::ExternalPolicy policy;
  explore::ExternalPolicy::make(options, policy); // checked: explore::validate
  load.lowerIntrinsics = !policy.deferVectors;
  if (load.runtimeBitcode.empty())
    session.observer.verbose(
        fmt::format("no runtime.bc below {}: system calls will not be modelled", here.build));
  // The module is freed before the exploration starts.
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> loaded =
      program::loadProgram(context, programs, load);
  if (!loaded) return refusalOf(programs, options.entry, llvm::toString(loaded.takeError()));
  std::unique_ptr<llvm::Module> module = std::move(*loaded);
  const std::string linkedWith = program::sysrootOf(*module);
  if (!linkedWith.empty() && !here.sysrootVersion.empty() && linkedWith != here.sysrootVersion)
    session.observer.warn(fmt::format("{}: linked with sysroot version {}, but this one is {}: "
                                      "replayed tests can differ; link it again with fathom-cc",
                                      programs[0], linkedWith, here.sysrootVersion));
  if (llvm::Error e = refuseUnusedInputs(*module, programs, options)) return std::move(e);
  if (llvm::Error e = asUsage(program::prepareModule(*module, load))) return std::move(e);
  if (look) look(*module);
  llvm::Expected<program::Program> program = asUsage(program::decode(*module));
  if (!program) return program.takeError();
  if (options.entryMemory != explore::EntryMemory::Objects)
    program::noteRanges(program::rangesOfGlobals(*module), *program);
  if (llvm::Error e = markExternal(*program, options)) return std::move(e);
  session.observer.verbose(fmt::format("{}: {} functions, {} branches of its own", programs[0],
                                       program->functions.size(), program->ownBranches));
  return program;
}

llvm::Expected<std::string> codeText(const program::Program &program, const std::string &what) {
  std::string only = what.size() > 5 && what.compare(0, 5, "code:") == 0 ? what.substr(5) : "";
  if (only.empty() && what != "code")
    return usageError(fmt::format("--print {}: expected code or code:FUNCTION", what));
  if (!only.empty() && !program.find(only))
    return usageError(fmt::format("--print {}: the program has no function {}", what, only));
  std::string out;
  for (const program::FunctionCode &f : program.functions)
    if (only.empty() ? f.own : f.name == only) out += program::printFunction(program, f);
  return out;
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

} // namespace fathom::run
