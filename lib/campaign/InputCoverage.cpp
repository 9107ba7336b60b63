// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/InputCoverage.h"

#include "native/Process.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace fathom::campaign {

static llvm::Error refuse(const std::string &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

/// Counters wrap, so each run begins with a map of zeros.
static llvm::Error clearMap(const std::string &file, size_t bytes) {
  std::error_code failed;
  llvm::raw_fd_ostream out(file, failed);
  out << std::string(bytes, '\0');
  out.close();
  if (!failed) failed = out.error();
  if (!failed) return llvm::Error::success();
  out.clear_error();
  return refuse(fmt::format("cannot write {}: {}", file, failed.message()));
}

llvm::Expected<std::vector<bool>> coveredBy(const FuzzVariant &variant,
                                            const std::vector<std::string> &files,
                                            const std::string &scratch,
                                            std::chrono::milliseconds testTime,
                                            const std::atomic<bool> &stop) {
  std::vector<bool> covered(variant.layout.elements());
  const std::string map = scratch + "/map";
  auto cleanup = llvm::make_scope_exit([&] { llvm::sys::fs::remove(map); });
  native::Command command;
  command.program = variant.executable;
  command.arguments = {variant.executable};
  command.environment = {"FATHOM_MAP_FILE=" + map};
  command.directory = scratch;
  command.limits.wall = testTime;
  for (const std::string &file : files) {
    if (auto e = clearMap(map, variant.layout.counters())) return std::move(e);
    command.stdinFile = file;
    native::Outcome outcome = native::run(command, &stop);
    if (outcome.kind != native::Outcome::Kind::Exited)
      return refuse(fmt::format("{}: {}", file, native::describe(outcome)));
    auto bytes = llvm::MemoryBuffer::getFile(map, false, /*RequiresNullTerminator=*/false);
    if (!bytes || (*bytes)->getBufferSize() < variant.layout.counters())
      return refuse(fmt::format("{}: the map of a run cannot be read", map));
    llvm::StringRef data = (*bytes)->getBuffer();
    for (uint32_t element :
         elementsOf(variant.layout, {reinterpret_cast<const uint8_t *>(data.data()), data.size()}))
      covered[element] = true;
  }
  return covered;
}

} // namespace fathom::campaign
