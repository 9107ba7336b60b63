// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/diff/ReplayInput.h"

#include "evidence/BugKind.h"
#include "report/BugFile.h"
#include "report/Files.h"
#include "report/Rerun.h"
#include "report/ShownPath.h"
#include "report/TestFolder.h"
#include "run/InputFiles.h"
#include "run/Installation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fathom::run {

namespace {

/// A folder that is removed at the end.
class ReplayScratch {
public:
  ReplayScratch() {
    llvm::SmallString<128> path;
    if (!llvm::sys::fs::createUniqueDirectory("fathom-diff", path)) path_ = path.str().str();
  }
  ~ReplayScratch() {
    if (!path_.empty()) llvm::sys::fs::remove_directories(path_);
  }
  ReplayScratch(const ReplayScratch &) = delete;
  ReplayScratch &operator=(const ReplayScratch &) = delete;
  const std::string &path() const { return path_; }

private:
  std::string path_; ///< "": it cannot be made
};

} // namespace

/// The input as it is: files in the working directory, and standard input.
static llvm::Expected<report::Rerun> concreteRun(const report::StoredTest &test,
                                                 const ReplayProgram &program,
                                                 const report::Directory &scratch) {
  llvm::Expected<report::Directory> files = scratch.create("files");
  if (!files) return files.takeError();
  report::Rerun out;
  for (const auto &[name, data] : test.inputs.files)
    if (llvm::Error e = files->write(name, data)) return std::move(e);
  if (llvm::Error e = scratch.write("stdin", test.inputs.standardInput)) return std::move(e);
  native::Command &c = out.command;
  c.program = Installation::get().fathom;
  c.arguments = {"fathom", "explore"};
  c.arguments.insert(c.arguments.end(), program.programs.begin(), program.programs.end());
  c.arguments.insert(c.arguments.end(), {"--concrete-stdin", scratch.path() + "/stdin"});
  c.inheritEnvironment = true;
  c.directory = scratch.path();
  for (size_t i = 1; i < test.inputs.arguments.size(); ++i) {
    std::string argument = test.inputs.arguments[i];
    for (const auto &[name, data] : test.inputs.files)
      if (const size_t at = argument.find(name);
          at != std::string::npos && at + name.size() == argument.size())
        argument.insert(at, files->path() + "/");
    out.arguments.push_back(std::move(argument));
  }
  return out;
}

static bool isHarnessInput(const report::StoredTest &test) {
  return std::ranges::any_of(test.symbols, [](const explore::SymbolValue &symbol) {
    return symbol.name == "fuzz_size" || symbol.name == "fuzz_data";
  });
}

/// What explore is started with, but for where it writes.
static llvm::Expected<report::Rerun> rerunFor(const report::StoredTest &test,
                                              const Analysis &analysis,
                                              const ReplayProgram &program,
                                              const report::Directory &scratch) {
  const bool isExplored = analysis.tool == "fathom explore" && analysis.run;
  if (!isExplored && !isHarnessInput(test)) return concreteRun(test, program, scratch);
  llvm::Expected<report::Directory> seeds = scratch.create("seeds");
  if (!seeds) return seeds.takeError();
  if (llvm::Error e = report::writeSeed(*seeds, test)) return std::move(e);
  report::Rerun out;
  if (isExplored) {
    auto rerun = report::rerunOf(*analysis.run, program.programs, Installation::get().fathom);
    if (!rerun) return rerun;
    out = std::move(*rerun);
  } else {
    out.command.program = Installation::get().fathom;
    out.command.arguments = {"fathom", "explore"};
    out.command.arguments.insert(out.command.arguments.end(), program.programs.begin(),
                                 program.programs.end());
    out.command.inheritEnvironment = true;
  }
  out.command.arguments.insert(out.command.arguments.end(),
                               {"--only-seeds", "--seeds", seeds->path()});
  return out;
}

static std::string placeOf(const report::Finding &finding) {
  const evidence::StackFrame *at = report::locationOf(finding.stack);
  if (!at) return evidence::name(finding.kind);
  return fmt::format("{} in {} at {}:{}", evidence::name(finding.kind), at->function,
                     report::shownPath(at->file), at->line);
}

/// `isOwnInput`: the old input itself shows it.
static bool isSame(const report::Finding &finding, const KnownResult &result,
                   const std::set<std::string> &others, bool isOwnInput) {
  if ((result.kind && finding.kind != *result.kind) || others.contains(finding.identity.id))
    return false;
  const evidence::StackFrame *at = report::locationOf(finding.stack);
  const report::Identity &now = finding.identity, &then = result.identity;
  return (isOwnInput && at && at->function == result.function) || now.id == then.id ||
         (!now.place.empty() && now.place == then.place);
}

/// Following a path, the engine also finds what other inputs of the path show.
static bool isInputOf(const report::Finding &finding, const std::string &folder,
                      const report::StoredTest &test) {
  llvm::Expected<report::StoredTest> own =
      report::readWholeTest(folder + "/" + finding.dir, /*isBug=*/true);
  if (!own) {
    llvm::consumeError(own.takeError());
    return true;
  }
  const auto bytesOf = [](const report::StoredTest &of) {
    std::map<std::string, std::vector<uint8_t>> out;
    for (const explore::SymbolValue &symbol : of.symbols) out[symbol.name] = symbol.data;
    return out;
  };
  // What is not known of one of them may be anything.
  const auto was = bytesOf(test), is = bytesOf(*own);
  return std::ranges::all_of(is, [&](const auto &symbol) {
    const auto same = was.find(symbol.first);
    return same == was.end() || same->second == symbol.second;
  });
}

/// What the run's folder says.
static Replayed judge(const std::string &folder, const KnownResult &result,
                      const report::StoredTest &test, const std::set<std::string> &others) {
  llvm::Expected<llvm::json::Object> stats = report::readJsonObject(folder + "/stats.json");
  if (!stats) return {ReplayEnd::Unknown, llvm::toString(stats.takeError()), ""};
  llvm::Expected<report::Directory> bugs = report::Directory::openOrCreate(folder + "/bugs");
  if (!bugs) return {ReplayEnd::Unknown, llvm::toString(bugs.takeError()), ""};
  llvm::Expected<std::vector<report::Finding>> findings = report::readFindings(*bugs);
  if (!findings) return {ReplayEnd::Unknown, llvm::toString(findings.takeError()), ""};
  for (const report::Finding &finding : *findings)
    if (isSame(finding, result, others, isInputOf(finding, folder, test)))
      return {ReplayEnd::Fails,
              fmt::format("its input still fails on the new program: {}", placeOf(finding)),
              finding.identity.id};
  for (const report::Finding &finding : *findings)
    if (isInputOf(finding, folder, test))
      return {ReplayEnd::Other,
              fmt::format("its input fails otherwise on the new program: {}", placeOf(finding)),
              ""};
  const auto seeds = stats->getInteger("seeds_given").value_or(0);
  const auto followed = stats->getInteger("seeds_followed").value_or(0);
  if (seeds && followed < seeds)
    return {ReplayEnd::Unknown,
            "its input could not be followed to the end of its path on the new program", ""};
  if (!seeds && !stats->getInteger("paths_completed").value_or(0))
    return {ReplayEnd::Unknown, "the new program did not end on its input", ""};
  return {ReplayEnd::Passes, "its input no longer fails on the new program", ""};
}

/// The last line that explore wrote to standard error.
static std::string lastLine(const std::string &file) {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text) return "";
  llvm::StringRef line = (*text)->getBuffer().rtrim();
  line = line.substr(line.rfind('\n') + 1); // npos + 1 is 0
  line.consume_front("fathom: ");
  return line.str();
}

Replayed replayInput(const KnownResult &result, const Analysis &analysis,
                     const ReplayProgram &program, const std::set<std::string> &others,
                     Session &session) {
  const auto unknown = [](llvm::Error e) {
    return Replayed{ReplayEnd::Unknown,
                    fmt::format("its input could not be run on the new program: {}",
                                llvm::toString(std::move(e))),
                    ""};
  };
  if (result.kind && evidence::doesNotEnd(*result.kind))
    return {ReplayEnd::Unknown, "whether the new program ends on its input was not tried", ""};
  ReplayScratch place;
  llvm::Expected<report::Directory> scratch = report::Directory::openOrCreate(place.path());
  if (!scratch) return unknown(scratch.takeError());
  llvm::Expected<report::StoredTest> test = report::readWholeTest(result.input, /*isBug=*/true);
  if (!test) return unknown(test.takeError());
  if (!test->inputs.failedAllocations.empty())
    return {ReplayEnd::Unknown,
            "it needs an allocation that fails, which an input alone does not decide", ""};
  llvm::Expected<report::Rerun> rerun = rerunFor(*test, analysis, program, *scratch);
  if (!rerun) return unknown(rerun.takeError());
  native::Command &c = rerun->command;
  const std::string results = place.path() + "/results";
  c.arguments.insert(
      c.arguments.end(),
      {"-q", "--force", "-o", results, fmt::format("--max-time={}ms", program.time.count()), "--"});
  c.arguments.insert(c.arguments.end(), rerun->arguments.begin(), rerun->arguments.end());
  c.stderrFile = place.path() + "/stderr";
  c.limits.wall = program.time + std::chrono::seconds(10);
  const native::Outcome outcome = native::run(c, &session.interruption.stop);
  if (!outcome.ok()) {
    const std::string said = lastLine(c.stderrFile);
    return unknown(llvm::createStringError(said.empty() ? native::describe(outcome) : said));
  }
  return judge(results, result, *test, others);
}

} // namespace fathom::run
