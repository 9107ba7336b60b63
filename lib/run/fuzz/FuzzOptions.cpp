// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/fuzz/FuzzOptions.h"

#include "campaign/Dictionary.h"
#include "campaign/Import.h"
#include "campaign/Mutator.h"
#include "native/Process.h"
#include "report/Diagnose.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "support/InputPlace.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <unistd.h>

namespace fathom::run {

/// What does not go with --import, which runs inputs that are there and starts no afl-fuzz.
static llvm::Error checkImport(const FuzzRequest &request) {
  if (!llvm::sys::fs::is_directory(request.import))
    return usageError(fmt::format("--import {}: expected AFL++'s output folder, or a folder with "
                                  "inputs",
                                  request.import));
  const char *other = request.resume                  ? "--resume"
                      : !request.corpus.empty()       ? "--corpus"
                      : request.maxExecutions         ? "--max-executions"
                      : request.jobs > 1              ? "--jobs"
                      : !request.record               ? "--no-record"
                      : !request.dictionaries.empty() ? "-x"
                      : !request.mutators.empty()     ? "--mutator"
                      : request.maxTime.count()       ? "--max-time"
                                                      : nullptr;
  if (other)
    return usageError(fmt::format("{}: not with --import, which runs every input once", other));
  return asUsage(campaign::keptInputs(absolutePath(request.import)).takeError());
}

static llvm::Error checkStates(const FuzzRequest &request) {
  if (!request.statesText.empty() && !request.import.empty())
    return usageError("--state-samples: not with --import, which does not sample states");
  if (!request.untilStable) return llvm::Error::success();
  if (request.statesText.empty()) return usageError("--until-stable: only with --state-samples");
  if (!(*request.untilStable >= 0 && *request.untilStable <= 1))
    return usageError(fmt::format("--until-stable {}: expected 0 to 1", *request.untilStable));
  return llvm::Error::success();
}

llvm::Error validate(const FuzzRequest &request) {
  if (request.force && request.resume)
    return usageError("--force and --resume contradict each other: give one of them");
  if (llvm::Error e = checkStates(request)) return e;
  // Executions and units are counted by the recorder.
  if (!request.record && (request.maxExecutions || request.maxUnits))
    return usageError(fmt::format("{}: not with --no-record, which counts nothing; use --max-time",
                                  request.maxExecutions ? "--max-executions" : "--max-units"));
  if (!request.import.empty())
    if (llvm::Error e = checkImport(request)) return e;
  if (request.jobs == 0 || request.jobs > 64)
    return usageError(fmt::format("--jobs {}: expected 1 to 64", request.jobs));
  if (!request.input.empty() && request.input != "@@" && request.input != "stdin")
    return usageError(fmt::format("--input {}: expected @@ or stdin", request.input));
  if (request.input == "stdin" && hasInputPlace(request.arguments))
    return usageError("--input stdin: an argument has @@, which stands for an input file");
  if (request.testTime < std::chrono::milliseconds(20) || request.testTime > std::chrono::hours(1))
    return usageError(fmt::format("--test-time {}: expected 20ms to 1h", request.testTimeText));
  return llvm::Error::success();
}

/// What the user knows of the input: words, and mutators.
static llvm::Error addKnowledge(const FuzzRequest &request, campaign::CampaignOptions &options) {
  for (const std::string &source : request.dictionaries) {
    llvm::Expected<std::vector<std::string>> words = campaign::readDictionary(source);
    if (!words) return usageError("-x " + llvm::toString(words.takeError()));
    options.dictionaryWords.insert(options.dictionaryWords.end(), words->begin(), words->end());
  }
  for (const std::string &library : request.mutators) {
    const std::string path = absolutePath(library);
    if (llvm::Error e = campaign::checkMutator(path))
      return usageError(fmt::format("--mutator {}: {}", library, llvm::toString(std::move(e))));
    options.mutators.push_back(path);
  }
  if (request.onlyMutators && request.mutators.empty())
    return usageError("--only-mutators: expected --mutator as well");
  options.onlyMutators = request.onlyMutators;
  return llvm::Error::success();
}

/// Interprets crashing inputs, for what went wrong before a signal showed it.
static campaign::Diagnose diagnosis(const FuzzRequest &request,
                                    const campaign::CampaignOptions &options) {
  report::DiagnoseOptions diagnose;
  diagnose.fathom = Installation::get().fathom;
  diagnose.program = absolutePath(request.program);
  diagnose.arguments = options.arguments;
  diagnose.scratch = options.folder + "/afl/work/diagnose";
  return [diagnose](const campaign::Crash &crash, const std::atomic<bool> *stop) {
    return report::diagnose(crash, diagnose, stop);
  };
}

llvm::Expected<campaign::CampaignOptions> campaignOptions(const FuzzRequest &request) {
  campaign::CampaignOptions options;
  options.folder = absolutePath(request.folder);
  options.arguments = request.arguments;
  if (request.input == "@@" && !hasInputPlace(request.arguments)) options.arguments.push_back("@@");
  options.unit = request.unit;
  options.jobs = request.jobs;
  options.seed = request.seed;
  options.maxTime = request.maxTime;
  options.maxExecutions = request.maxExecutions;
  options.maxUnits = request.maxUnits;
  options.testTime = request.testTime;
  options.testMemoryBytes = request.testMemoryBytes;
  options.resume = request.resume;
  options.inbox = request.inbox;
  options.record = request.record;
  options.iterations = request.iterations;
  options.diagnose = diagnosis(request, options);
  if (llvm::Error e = addKnowledge(request, options)) return std::move(e);
  if (!request.import.empty()) return options;
  options.stagesLibrary = Installation::get().build + "/lib/fathom/afl-stages.so";
  if (access(options.stagesLibrary.c_str(), R_OK) != 0)
    return usageError(
        fmt::format("{} is missing; {}", options.stagesLibrary, Installation::get().remedy));
  options.aflFuzz = native::findProgram("afl-fuzz");
  if (options.aflFuzz.empty())
    return usageError("afl-fuzz is not installed; Debian has it in the package afl++");
  return options;
}

report::CampaignFolderOptions folderOptions(const FuzzRequest &request,
                                            const campaign::CampaignOptions &options,
                                            const campaign::FuzzVariant &variant) {
  report::CampaignFolderOptions folder;
  folder.path = options.folder;
  folder.force = request.force;
  folder.resume = request.resume;
  folder.commandLine = request.commandLine;
  folder.program = absolutePath(request.program);
  llvm::StringRef native(request.program);
  if (llvm::sys::path::extension(native) == ".bc") native.consume_back(".bc");
  if (access(native.str().c_str(), X_OK) == 0) folder.nativeProgram = absolutePath(native.str());
  folder.arguments = options.arguments;
  folder.isHarness = variant.isHarness;
  folder.fuzzed = variant.executable;
  folder.sanitizers = variant.sanitizers.text();
  folder.testMemoryBytes = options.testMemoryBytes;
  folder.unit = options.unit.text();
  folder.seed = options.seed;
  if (!request.import.empty()) folder.import = absolutePath(request.import);
  return folder;
}

} // namespace fathom::run
