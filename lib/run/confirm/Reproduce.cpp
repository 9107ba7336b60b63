// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/confirm/Reproduce.h"

#include "report/BugFile.h"
#include "report/Replay.h"
#include "report/ResultsFolder.h"
#include "report/RunFile.h"
#include "run/explore/LoadExplored.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/replay/TraceReplay.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

namespace fathom::run {

/// An empty folder of results that says what it is of.
static llvm::Error beginFolder(const std::string &folder, bool force,
                               const std::vector<std::string> &programs,
                               const std::vector<std::string> &commandLine) {
  if (llvm::Error e = report::checkFolder(folder, force)) return e;
  llvm::Expected<report::Directory> root = report::Directory::openOrCreate(folder);
  if (!root) return root.takeError();
  if (llvm::Error e = report::removeResults(*root)) return e;
  std::vector<std::string> paths;
  for (const std::string &program : programs) paths.push_back(absolutePath(program));
  return root->replace("run.json", report::jsonText([&](llvm::json::OStream &json) {
                         json.object([&] {
                           report::writeRunHead(json, "confirm", commandLine, paths);
                           report::writeRunTimes(json, {.started = report::utcNow(), .resumed = {}},
                                                 nullptr);
                         });
                       }));
}

llvm::Expected<std::unique_ptr<Reproducer>>
Reproducer::make(const std::vector<std::string> &programs, const std::string &folder, bool force,
                 const std::vector<std::string> &commandLine, Session &session) {
  if (folder.empty()) {
    llvm::SmallString<128> scratch;
    if (std::error_code e = llvm::sys::fs::createUniqueDirectory("fathom-confirm", scratch))
      return usageError(fmt::format("{}: cannot be created: {}", scratch.str().str(), e.message()));
    return std::unique_ptr<Reproducer>(
        new Reproducer(scratch.str().str(), /*isKept=*/false, session));
  }
  if (llvm::Error e = asUsage(beginFolder(folder, force, programs, commandLine)))
    return std::move(e);
  return std::unique_ptr<Reproducer>(new Reproducer(folder, /*isKept=*/true, session));
}

Reproducer::~Reproducer() {
  if (!isKept_) llvm::sys::fs::remove_directories(folder_);
}

void Reproducer::use(std::vector<std::string> program, std::vector<std::string> arguments) {
  programs_ = std::move(program);
  arguments_ = std::move(arguments);
  variant_.reset();
}

llvm::Expected<std::string> Reproducer::write(const explore::Bug &bug) {
  llvm::Expected<report::Directory> root = report::Directory::openOrCreate(folder_);
  if (!root) return root.takeError();
  llvm::Expected<report::Directory> bugs = root->openOrCreateIn("bugs");
  if (!bugs) return bugs.takeError();
  for (size_t number = 1;; ++number) {
    const std::string name = fmt::format("{:06}", number);
    if (bugs->exists(name)) continue;
    llvm::Error error = bugs->createWhole(name, [&](const report::Directory &dir) {
      return report::writeBug(dir, bug, report::inputsOf(bug.test, arguments_, {}),
                              {.native = nativeProgram(programs_),
                               .explored = programs_.size() == 1 ? absolutePath(programs_[0]) : "",
                               .entry = {}});
    });
    if (!error) return fmt::format("{}/bugs/{}", folder_, name);
    // Another process may have taken the number.
    if (!bugs->exists(name)) return std::move(error);
    llvm::consumeError(std::move(error));
  }
}

confirm::Reproduction Reproducer::keep(const explore::Bug &bug) {
  confirm::Reproduction out;
  llvm::Expected<std::string> written = write(bug);
  if (!written) {
    session_.observer.warn(llvm::toString(written.takeError()));
    return out;
  }
  out.input = std::move(*written);
  if (isKept_) out.folder = out.input;
  return out;
}

void Reproducer::run(confirm::Reproduction &native) {
  if (native.input.empty() || programs_.size() != 1) return;
  if (llvm::Error e = replay(native)) session_.observer.warn(llvm::toString(std::move(e)));
}

llvm::Error Reproducer::replay(confirm::Reproduction &native) {
  report::ReplayOptions options;
  options.folder = native.input;
  if (!variant_) {
    auto made = prepareTrace(native.input, programs_[0], options, session_);
    if (!made) return made.takeError();
    variant_ = std::move(*made);
  }
  options.executable = variant_->executable;
  options.layout = &variant_->layout;
  llvm::Expected<report::ReplayResult> result = report::replay(options);
  if (!result) return result.takeError();
  if (result->tests.empty()) {
    if (!result->damaged.empty()) session_.observer.warn(result->damaged[0]);
    return llvm::Error::success();
  }
  native.isReproduced = result->tests[0].verdict == report::BugVerdict::Reproduced;
  native.symptom = result->tests[0].symptom;
  return llvm::Error::success();
}

} // namespace fathom::run
