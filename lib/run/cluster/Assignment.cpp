// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/cluster/Assignment.h"

#include "program/Load.h"
#include "report/Files.h"
#include "run/Failure.h"
#include "run/Installation.h"
#include "support/Bytes.h"
#include "support/TextError.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace fathom::explore {

template <typename S, typename F>
  requires std::is_same_v<std::remove_const_t<S>, Seed>
void eachField(S &s, F f) {
  f(s.raw), f(s.data), f(s.objects), f(s.failedAllocations), f(s.isOffered);
}

} // namespace fathom::explore

namespace fathom::run {

namespace {

using std::chrono::milliseconds;

/// A file by its contents.
struct PackedFile {
  std::string name, bytes;
  bool isExecutable = false;
};
template <typename S, typename F>
  requires std::is_same_v<std::remove_const_t<S>, PackedFile>
void eachField(S &p, F f) {
  f(p.name), f(p.bytes), f(p.isExecutable);
}

// One list of what goes along, read in both directions: `io` is a ByteWriter's or a ByteReader's.

struct Writing {
  ByteWriter out;
  template <typename T> void operator()(const T &value) { out.put(value); }
  void operator()(const milliseconds &value) { out.put(static_cast<int64_t>(value.count())); }
  void operator()(const std::optional<bool> &value) { out.put(value ? 1 + *value : 0); }
  void operator()(const std::set<std::string, std::less<>> &value) {
    out.put(std::vector<std::string>(value.begin(), value.end()));
  }
};

struct Reading {
  ByteReader in;
  template <typename T> void operator()(T &value) { value = in.get<T>(); }
  void operator()(milliseconds &value) { value = milliseconds(in.get<int64_t>()); }
  void operator()(std::optional<bool> &value) {
    const int read = in.get<int>();
    value = read ? std::optional(read == 2) : std::nullopt;
  }
  void operator()(std::set<std::string, std::less<>> &value) {
    for (std::string &name : in.get<std::vector<std::string>>()) value.insert(std::move(name));
  }
};

template <typename Io> void eachOption(explore::ExploreOptions &o, Io &io) {
#define FATHOM_OPTION(type, field, defaultValue, flag, help) io(o.field);
#include "explore/Options.def"
#undef FATHOM_OPTION
  io(o.symbolicSize), io(o.sizedInput), io(o.solverTimeout), io(o.arguments), io(o.environment),
      io(o.sandboxRoot), io(o.workingDirectory), io(o.stdinFile), io(o.seeds),
      io(o.externalEffectsText), io(o.externalTimeout);
  solver::SolverOptions &s = o.solver;
  io(s.disabledStages), io(s.satGates), io(s.satConflicts), io(s.fuzzSeed), io(s.domainBudget),
      io(s.valueSets), io(s.crossCheck), io(s.z3ResourceLimit);
  solver::ExternalOptions &e = s.externals;
  io(e.backEnd), io(e.logicFirst), io(e.logicTimeDivisor), io(e.predictor), io(e.useSeeds),
      io(e.probe), io(e.budget.evaluations), io(e.budget.time);
}

template <typename Io> void eachOption(explore::MergeOptions &m, Io &io) {
  io(m.mode), io(m.at), io(m.checks), io(m.bySize), io(m.mergesIrregular), io(m.leavesVain),
      io(m.incremental), io(m.limits.maxStates), io(m.limits.maxInstructions),
      io(m.limits.maxPageBytes);
}

llvm::Expected<PackedFile> packed(const std::string &path, bool isExecutable) {
  llvm::Expected<std::string> bytes = asUsage(report::readFile(path));
  if (!bytes) return bytes.takeError();
  return PackedFile{llvm::sys::path::filename(path).str(), std::move(*bytes), isExecutable};
}

/// The path of the file in `folder`.
llvm::Expected<std::string> unpacked(const PackedFile &file, const std::string &folder,
                                     size_t number) {
  auto directory = report::Directory::openOrCreate(fmt::format("{}/{}", folder, number));
  if (!directory) return directory.takeError();
  if (llvm::Error e = directory->write(file.name, file.bytes, file.isExecutable))
    return std::move(e);
  return directory->path() + "/" + file.name;
}

} // namespace

std::string unfitForCluster(const ExploreRequest &request) {
  const explore::ExploreOptions &o = request.options;
  if (!request.campaign.empty()) return "--campaign: workers on other machines do not have it";
  if (o.maxForks) return "--max-forks: cannot be split among workers that come and go";
  if (!o.solver.logFile.empty()) return "--log-queries: each machine would have a file of its own";
  if (!o.solver.externals.keepHarnesses.empty())
    return "--keep-harnesses: each machine would have a folder of its own";
  if (!o.solver.externals.compareFile.empty())
    return "--compare-fuzz-solvers: each machine would have a file of its own";
  if (request.merging.explains) return "--explain-merges: each machine would print what it merges";
  return "";
}

llvm::Expected<std::string> packAssignment(const ExploreRequest &request) {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  load.entry = request.options.entry;
  load.allowUndefined = true;
  llvm::Expected<program::BitcodeFile> bitcode =
      asUsage(program::findBitcode(request.programs, load));
  if (!bitcode) return bitcode.takeError();
  llvm::Expected<PackedFile> program = packed(bitcode->path, /*isExecutable=*/false);
  if (!program) return program.takeError();
  std::vector<PackedFile> libraries, variant;
  for (const std::string &path : request.options.libraries) {
    llvm::Expected<PackedFile> library = packed(path, /*isExecutable=*/true);
    if (!library) return library.takeError();
    libraries.push_back(std::move(*library));
  }
  if (!request.options.functionsVariant.empty()) {
    llvm::Expected<PackedFile> file = packed(request.options.functionsVariant, true);
    if (!file) return file.takeError();
    variant.push_back(std::move(*file));
  }
  ExploreRequest copy;
  copy.options = request.options;
  copy.merging = request.merging;
  Writing io;
  io(*program), io(libraries), io(variant);
  eachOption(copy.options, io);
  eachOption(copy.merging, io);
  return io.out.take();
}

llvm::Expected<ExploreRequest> unpackAssignment(const std::string &packed,
                                                const std::string &folder) {
  ExploreRequest request;
  PackedFile program;
  std::vector<PackedFile> libraries, variant;
  Reading io{ByteReader(packed)};
  io(program), io(libraries), io(variant);
  eachOption(request.options, io);
  eachOption(request.merging, io);
  if (!io.in.ok() || !io.in.rest().empty())
    return textError("the coordinator sent a program that cannot be read");
  size_t number = 0;
  auto put = [&](const PackedFile &file, std::string &path) -> llvm::Error {
    llvm::Expected<std::string> at = unpacked(file, folder, number++);
    if (!at) return at.takeError();
    path = std::move(*at);
    return llvm::Error::success();
  };
  if (llvm::Error e = put(program, request.programs.emplace_back())) return std::move(e);
  for (const PackedFile &library : libraries)
    if (llvm::Error e = put(library, request.options.libraries.emplace_back())) return std::move(e);
  for (const PackedFile &file : variant)
    if (llvm::Error e = put(file, request.options.functionsVariant)) return std::move(e);
  request.options.nativeHelper = Installation::get().nativeHelper;
  addMerging(request);
  return request;
}

} // namespace fathom::run
