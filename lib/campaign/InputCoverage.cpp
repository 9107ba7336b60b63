// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/InputCoverage.h"

#include "support/TextError.h"
#include "support/WriteFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::campaign {

/// Counters wrap, so each run begins with a map of zeros.
static llvm::Error clearMap(const std::string &file, size_t bytes) {
  if (std::error_code e = writeFile(file, std::string(bytes, '\0')))
    return textError(fmt::format("cannot write {}: {}", file, e.message()));
  return llvm::Error::success();
}

llvm::Expected<CountedRun> countedRun(const FuzzVariant &variant, native::Command command,
                                      const std::string &map, const std::atomic<bool> *stop) {
  const size_t counters = variant.layout.counters();
  if (auto e = clearMap(map, std::max<size_t>(1, counters))) return std::move(e);
  command.environment = {"FATHOM_MAP_FILE=" + map};
  CountedRun run{native::run(command, stop), {}};
  if (run.outcome.kind == native::Outcome::Kind::NotStarted) return textError(run.outcome.error);
  auto data = llvm::MemoryBuffer::getFile(map, false, /*RequiresNullTerminator=*/false);
  if (!data || (*data)->getBufferSize() < counters)
    return textError(fmt::format("{}: the map of a run cannot be read", map));
  llvm::StringRef bytes = (*data)->getBuffer();
  run.map.assign(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(counters));
  return run;
}

llvm::Expected<std::vector<bool>> coveredBy(const FuzzVariant &variant,
                                            const std::vector<std::string> &files,
                                            const std::string &scratch,
                                            std::chrono::milliseconds testTime,
                                            const std::atomic<bool> &stop) {
  std::vector<bool> covered(variant.layout.elements());
  const std::string map = scratch + "/map";
  auto cleanup = llvm::make_scope_exit([&] { (void)llvm::sys::fs::remove(map); });
  native::Command command;
  command.program = variant.executable;
  command.arguments = {variant.executable};
  command.directory = scratch;
  command.limits.wall = testTime;
  command.isSubject = true;
  for (const std::string &file : files) {
    command.stdinFile = file;
    llvm::Expected<CountedRun> run = countedRun(variant, command, map, &stop);
    if (!run) return run.takeError();
    if (run->outcome.kind != native::Outcome::Kind::Exited)
      return textError(fmt::format("{}: {}", file, native::describe(run->outcome)));
    for (uint32_t element : elementsOf(variant.layout, run->map)) covered[element] = true;
  }
  return covered;
}

} // namespace fathom::campaign
