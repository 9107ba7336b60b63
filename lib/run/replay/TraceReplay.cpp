// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/replay/TraceReplay.h"

#include "campaign/FuzzVariant.h"
#include "report/Files.h"
#include "report/RunFile.h"
#include "report/Tests.h"
#include "run/Failure.h"
#include "run/Installation.h"
#include "run/Libraries.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace fathom::run {

namespace {

/// The run.json of the results folder that DIR is, or that the test DIR lies in.
llvm::Expected<llvm::json::Object> readRun(const std::string &folder) {
  const std::string file = report::runFileOf(folder);
  return file.empty() ? llvm::json::Object() : report::readJsonObject(file);
}

/// The same; empty where the file is damaged: the tests may still be fine.
llvm::json::Object readableRun(const std::string &folder) {
  llvm::Expected<llvm::json::Object> run = readRun(folder);
  if (run) return std::move(*run);
  llvm::consumeError(run.takeError());
  return {};
}

/// Their names, for functions that the program has no code of. One that is gone is an error.
llvm::Expected<std::vector<std::string>>
usableLibraries(const std::string &folder, const std::vector<report::RunLibrary> &libraries,
                Session &session) {
  std::vector<std::string> out;
  for (const report::RunLibrary &library : libraries) out.push_back(library.path);
  if (llvm::Error e = checkLibraries(fmt::format("{}: explored with --load", folder), out))
    return std::move(e);
  for (const report::RunLibrary &library : libraries)
    if (!library.sha256.empty() && report::sha256(library.path) != library.sha256)
      session.observer.warn(fmt::format(
          "{}: the library has changed since the exploration: tests can differ", library.path));
  return out;
}

void warnOfRefused(const program::TraceLayout &layout, Session &session) {
  for (const program::ForeignFunction &f : layout.foreign)
    if (!f.refused.empty())
      session.observer.warn(fmt::format("{}: {}: tests end at a call of it", f.name, f.refused));
}

llvm::Expected<report::NativeVariant> buildVariant(const std::string &program, bool allowUndefined,
                                                   Session &session) {
  const Installation &here = Installation::get();
  llvm::Expected<native::VariantTools> tools = variantTools("trace.o");
  if (!tools) return tools.takeError();
  tools->runtimeBitcode = here.runtimeBitcode;
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.runtimeBitcode = here.runtimeBitcode; // to know where the engine has what
  load.allowUndefined = allowUndefined;
  auto started = std::chrono::steady_clock::now();
  llvm::Expected<report::NativeVariant> variant =
      asUsage(report::traceVariant({program}, load, *tools));
  if (!variant) return variant.takeError();
  session.observer.verbose(fmt::format(
      "{} {} in {:.2f} s", variant->fromCache ? "using" : "built", variant->executable,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count()));
  return variant;
}

} // namespace

llvm::Error refuseOtherEntry(const std::string &folder) {
  const llvm::json::Object run = readableRun(folder);
  const llvm::json::Object *options = run.getObject("options");
  std::optional<llvm::StringRef> entry = options ? options->getString("entry") : std::nullopt;
  if (entry && !entry->empty())
    return usageError(fmt::format(
        "{}: explored with --entry {}, but a native run starts at main; call the function "
        "from the main of a harness (fathom.h) and explore that",
        folder, entry->str()));
  return llvm::Error::success();
}

llvm::Error refuseOtherProgram(const std::string &folder, const std::string &program) {
  const llvm::json::Object run = readableRun(folder);
  const llvm::json::Array *explored = run.getArray("program");
  if (!explored || explored->size() != 1) return llvm::Error::success();
  std::optional<llvm::StringRef> path = (*explored)[0].getAsString();
  auto nameOf = [](llvm::StringRef file) {
    llvm::StringRef name = llvm::sys::path::filename(file);
    for (const char *suffix : {".bc", ".ll", ".c"}) name.consume_back(suffix);
    return name;
  };
  if (path && nameOf(*path) != nameOf(program))
    return usageError(
        fmt::format("{}: holds results of {}, not of {}; to run another build of it, use --binary",
                    folder, path->str(), program));
  return llvm::Error::success();
}

llvm::Expected<std::string> exploredProgram(const std::string &folder) {
  llvm::Expected<llvm::json::Object> run = asUsage(readRun(folder));
  if (!run) return run.takeError();
  const llvm::json::Array *explored = run->getArray("program");
  std::optional<llvm::StringRef> path =
      explored && explored->size() == 1 ? (*explored)[0].getAsString() : std::nullopt;
  if (!path)
    return usageError(
        fmt::format("{}: its run.json does not name one program; pass --program", folder));
  return path->str();
}

llvm::Expected<report::NativeVariant> prepareTrace(const std::string &folder,
                                                   const std::string &program,
                                                   report::ReplayOptions &options,
                                                   Session &session) {
  const std::vector<report::RunLibrary> libraries = report::librariesOf(readableRun(folder));
  llvm::Expected<report::NativeVariant> variant =
      buildVariant(program, !libraries.empty(), session);
  if (!variant) return variant;
  options.executable = variant->executable;
  warnOfRefused(variant->layout, session);
  if (!variant->layout.foreign.empty()) {
    options.nativeHelper = Installation::get().nativeHelper;
    llvm::Expected<std::vector<std::string>> usable = usableLibraries(folder, libraries, session);
    if (!usable) return usable.takeError();
    options.libraries = std::move(*usable);
  }
  return variant;
}

llvm::Expected<std::optional<SanitizedVariant>> prepareSanitized(const std::string &folder,
                                                                 const std::string &program,
                                                                 report::ReplayOptions &options,
                                                                 Session &session) {
  const llvm::json::Object run = readableRun(folder);
  const std::string names = run.getString("sanitize").value_or("").str();
  campaign::Sanitizers sanitizers;
  if (names.empty()) return std::nullopt;
  if (!campaign::parseSanitizers(names, sanitizers))
    return usageError(fmt::format("{}: its run.json has \"sanitize\": \"{}\"; expected address, "
                                  "undefined, or both",
                                  folder, names));
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  llvm::Expected<native::VariantTools> tools = variantTools(sanitizers.runtimeObject());
  if (!tools) return tools.takeError();
  llvm::Expected<campaign::FuzzVariant> variant =
      asUsage(campaign::fuzzVariant({program}, load, *tools, sanitizers));
  if (!variant) return variant.takeError();
  session.observer.verbose(
      fmt::format("{} {}", variant->fromCache ? "using" : "built", variant->executable));
  options.executable = variant->executable;
  options.isFuzzedVariant = true;
  // Whether an allocation fails may be what the crash depends on.
  const int64_t memory = run.getInteger("test_memory_bytes").value_or(0);
  if (sanitizers.address && memory > 0)
    options.environment = {fmt::format("FATHOM_MOST_HEAP={}", memory)};
  return SanitizedVariant{variant->executable, names};
}

} // namespace fathom::run
