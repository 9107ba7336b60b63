// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reproduce.h"

#include "ExploreProgram.h"
#include "TraceReplay.h"

#include "report/BugFile.h"
#include "report/Replay.h"
#include "report/ResultsFolder.h"
#include "report/RunFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

namespace fathom::tool {

Reproducer::Reproducer(const std::vector<std::string> &programs, std::string folder, bool force,
                       const Invocation &invocation, Log &log)
    : folder_(std::move(folder)), isKept_(!folder_.empty()), log_(log) {
  if (!isKept_) {
    llvm::SmallString<128> scratch;
    if (std::error_code e = llvm::sys::fs::createUniqueDirectory("fathom-confirm", scratch))
      throw UsageError(fmt::format("{}: cannot be created: {}", scratch.str().str(), e.message()));
    folder_ = scratch.str().str();
    return;
  }
  orUsage(report::checkFolder(folder_, force));
  const report::Directory root = orUsage(report::Directory::openOrCreate(folder_));
  orUsage(report::removeResults(root));
  std::vector<std::string> paths;
  for (const std::string &program : programs) paths.push_back(absolutePath(program));
  const std::string run = report::jsonText([&](llvm::json::OStream &json) {
    json.object([&] {
      report::writeRunHead(json, "confirm", invocation.all, paths);
      report::writeRunTimes(json, {.started = report::utcNow(), .resumed = {}}, nullptr);
    });
  });
  orUsage(root.replace("run.json", run));
}

Reproducer::~Reproducer() {
  if (!isKept_) llvm::sys::fs::remove_directories(folder_);
}

void Reproducer::use(std::vector<std::string> program, std::vector<std::string> arguments) {
  programs_ = std::move(program);
  arguments_ = std::move(arguments);
  variant_.reset();
}

std::string Reproducer::write(const explore::Bug &bug) {
  const report::Directory root = orUsage(report::Directory::openOrCreate(folder_));
  const report::Directory bugs = orUsage(root.openOrCreateIn("bugs"));
  for (size_t number = 1;; ++number) {
    const std::string name = fmt::format("{:06}", number);
    if (bugs.exists(name)) continue;
    llvm::Error error = bugs.createWhole(name, [&](const report::Directory &dir) {
      return report::writeBug(dir, bug, report::inputsOf(bug.test, arguments_, {}),
                              {.native = nativeProgram(programs_),
                               .explored = programs_.size() == 1 ? absolutePath(programs_[0]) : "",
                               .entry = {}});
    });
    if (!error) return fmt::format("{}/bugs/{}", folder_, name);
    // Another process may have taken the number.
    if (!bugs.exists(name)) orUsage(std::move(error));
    llvm::consumeError(std::move(error));
  }
}

confirm::Reproduction Reproducer::keep(const explore::Bug &bug) {
  confirm::Reproduction out;
  try {
    out.input = write(bug);
    if (isKept_) out.folder = out.input;
  } catch (const UsageError &error) {
    log_.warn(error.what());
  }
  return out;
}

void Reproducer::run(confirm::Reproduction &native) {
  if (native.input.empty() || programs_.size() != 1) return;
  try {
    report::ReplayOptions options;
    options.folder = native.input;
    if (!variant_) variant_ = prepareTrace(native.input, programs_[0], options, log_);
    options.executable = variant_->executable;
    options.layout = &variant_->layout;
    const report::ReplayResult result = orUsage(report::replay(options));
    if (result.tests.empty()) {
      if (!result.damaged.empty()) log_.warn(result.damaged[0]);
      return;
    }
    native.isReproduced = result.tests[0].verdict == report::BugVerdict::Reproduced;
    native.symptom = result.tests[0].symptom;
  } catch (const UsageError &error) {
    log_.warn(error.what());
  }
}

} // namespace fathom::tool
