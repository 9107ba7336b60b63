// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/cluster/Serve.h"

#include "explore/work/RemoteWorker.h"
#include "program/Fingerprint.h"
#include "run/cluster/Assignment.h"
#include "run/cluster/Workers.h"
#include "run/DefaultMemory.h"
#include "run/explore/LoadExplored.h"
#include "run/Failure.h"
#include "support/TextError.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <thread>

namespace fathom::run {

namespace {

/// The files of an assignment, gone with this object.
class AssignmentFolder {
public:
  AssignmentFolder() = default;
  AssignmentFolder(const AssignmentFolder &) = delete;
  AssignmentFolder &operator=(const AssignmentFolder &) = delete;
  ~AssignmentFolder() {
    if (!path_.empty()) llvm::sys::fs::remove_directories(path_);
  }
  llvm::Expected<std::string> make() {
    if (std::error_code failed = llvm::sys::fs::createUniqueDirectory("fathom-worker", path_))
      return textError(fmt::format("no folder for the program: {}", failed.message()));
    return std::string(path_.str());
  }

private:
  llvm::SmallString<128> path_;
};

std::optional<uint64_t> slurmNumber(const char *name) {
  const char *text = getenv(name);
  const uint64_t value = text ? strtoull(text, nullptr, 10) : 0;
  return value ? std::optional(value) : std::nullopt;
}

/// What Slurm gives a task, if this is one; of a machine whose memory it does not give out, a share
/// by processors: other workers are there, too.
uint64_t memoryHere() {
  const std::optional<uint64_t> processors = slurmNumber("SLURM_CPUS_ON_NODE");
  constexpr int kMega = 20;
  if (const auto node = slurmNumber("SLURM_MEM_PER_NODE")) return *node << kMega;
  if (const auto each = slurmNumber("SLURM_MEM_PER_CPU"))
    return (*each << kMega) * processors.value_or(1);
  const uint64_t all = std::max(1u, std::thread::hardware_concurrency());
  return defaultMemory() / all * std::min(processors.value_or(all), all);
}

} // namespace

llvm::Expected<ServeOutcome> serve(const ServeRequest &request, Session &session) {
  const std::optional<native::Endpoint> at = native::endpointFrom(request.connect);
  if (!at)
    return usageError(fmt::format("--connect {}: expected HOST:PORT, which fathom explore --listen "
                                  "prints",
                                  request.connect));
  llvm::Expected<std::string> key = workerKey(request.key);
  if (!key) return key.takeError();
  AssignmentFolder folder;
  ExploreRequest assigned;
  std::optional<program::Program> program;
  explore::ServeOptions options;
  options.coordinator = *at;
  options.build = buildName();
  options.key = std::move(*key);
  options.jobs = request.jobs;
  options.maxMemoryBytes = request.limits.memoryBytes ? *request.limits.memoryBytes : memoryHere();
  auto load = [&](const std::string &body) -> llvm::Error {
    llvm::Expected<std::string> path = folder.make();
    if (!path) return path.takeError();
    llvm::Expected<ExploreRequest> unpacked = unpackAssignment(body, *path);
    if (!unpacked) return unpacked.takeError();
    assigned = std::move(*unpacked);
    llvm::Expected<program::Program> loaded =
        loadExplored(assigned.programs, assigned.options, /*mayBeLibrary=*/false, session);
    if (!loaded) return loaded.takeError();
    program.emplace(std::move(*loaded));
    return llvm::Error::success();
  };
  options.load = [&](const std::string &body, explore::ServedProgram &served, std::string &error) {
    if (llvm::Error e = load(body)) {
      error = llvm::toString(std::move(e));
      return false;
    }
    served = {&*program, assigned.options, program::fingerprint(*program)};
    session.observer.announce(
        fmt::format("working for {}: {}", at->text(), assigned.options.arguments[0]));
    return true;
  };
  session.interruption.begin();
  const explore::ServeResult ended = explore::serve(options, session.interruption.stop);
  const std::string who = fmt::format("the coordinator at {}", at->text());
  switch (ended.how) {
  case explore::Served::Ended: return ServeOutcome{false, "the exploration has ended"};
  case explore::Served::Stopped:
    return ServeOutcome{false, fmt::format("ended by {}", session.interruption.name())};
  case explore::Served::Gone:
    return ServeOutcome{true, fmt::format("{} is gone: {}", who, ended.why)};
  case explore::Served::Refused:
    return usageError(fmt::format("{} does not work with this worker: {}", who, ended.why));
  case explore::Served::Unreachable: break;
  }
  return usageError(fmt::format("--connect {}: no coordinator there: {}", at->text(), ended.why));
}

} // namespace fathom::run
