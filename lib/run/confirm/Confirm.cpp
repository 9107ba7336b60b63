// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/confirm/Confirm.h"

#include "confirm/KeptVerdicts.h"
#include "native/VariantCache.h"
#include "run/confirm/AnalysedProgram.h"
#include "run/confirm/ConfirmPrograms.h"
#include "run/confirm/ReportChoice.h"
#include "run/confirm/Reproduce.h"
#include "run/DefaultMemory.h"
#include "run/explore/LoadExplored.h"
#include "run/explore/SymbolicArguments.h"
#include "run/Failure.h"
#include "run/Installation.h"
#include "run/SeedFolder.h"
#include "support/InputPlace.h"
#include "support/NumberText.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace fathom::run {

namespace {

/// Programs whose verdicts are kept; those that were used longest ago are removed.
constexpr size_t kMaxKept = 256;

/// Tried before that: its paths are few.
const std::vector<std::string> kShortInput = {"--sym-args", "0", "2", "2", "--sym-stdin", "4"};

/// Where the program's arguments say where the input is, and nothing says how long: enough for the
/// headers of most formats, and few enough for paths that come to their end.
constexpr size_t kShortFile = 40;

/// So much, or as long as the longest seed.
std::string roomFor(size_t bytes, const std::vector<explore::Seed> &seeds) {
  constexpr size_t kMax = 65536;
  for (const explore::Seed &seed : seeds) {
    bytes = std::max(bytes, seed.data.size());
    for (const auto &[name, data] : seed.objects) bytes = std::max(bytes, data.size());
  }
  return std::to_string(std::min(bytes, kMax));
}

/// What is tried where the user describes no input: with room for the seeds.
std::vector<std::string> usualInput(const std::vector<explore::Seed> &seeds) {
  const std::string size = roomFor(16, seeds);
  return {"--sym-args", "0", "2", "8", "--sym-files", "1", size, "--sym-stdin", size};
}

/// A line that is longer than buffers mostly are, without a blank: in standard input, and in a file
/// whose name is the last argument. Source: B. Miller et al., An Empirical Study of the Reliability
/// of UNIX Utilities, CACM 33(12), 1990.
std::vector<confirm::KnownInput> longLines(const std::string &name,
                                           const std::vector<std::string> &arguments) {
  constexpr size_t kBytes = 5000;
  const std::string bytes = std::to_string(kBytes);
  const bool isNamed = hasInputPlace(arguments);
  std::vector<std::vector<std::string>> all;
  if (!isNamed) all.push_back({name, "--sym-stdin", bytes});
  if (isNamed || arguments.empty()) all.push_back({name, "--sym-files", "1", bytes});
  for (std::vector<std::string> &words : all) {
    words.insert(words.end(), arguments.begin(), arguments.end());
    putInputName(words, "A");
  }
  if (!isNamed && arguments.empty()) all.back().emplace_back("A");
  std::vector<confirm::KnownInput> out;
  for (std::vector<std::string> &words : all) {
    confirm::KnownInput probe{.words = std::move(words)};
    probe.seed.raw = true;
    probe.seed.data.assign(kBytes, 'A');
    out.push_back(std::move(probe));
  }
  return out;
}

std::string progressText(const std::string &program, const confirm::BatchProgress &p,
                         bool hasRounds) {
  std::string out = program;
  if (hasRounds && p.round.limit.count())
    out += fmt::format(": round {} ({} s each)", p.round.number,
                       grouped(std::chrono::duration<double>(p.round.limit).count()));
  const auto count = [&](confirm::Verdict verdict) { return countOf(p.verdicts, verdict); };
  return out + fmt::format(": report {} of {}: {} confirmed, {} possible, {} refuted", p.asked,
                           p.toAsk, count(confirm::Verdict::Confirmed),
                           count(confirm::Verdict::Possible), count(confirm::Verdict::Refuted));
}

/// What main is started with: --sym-args and the like, and the program's own arguments.
llvm::Expected<std::vector<std::string>> inputOf(const ConfirmRequest &request,
                                                 const std::string &program) {
  llvm::StringRef name = llvm::sys::path::filename(program);
  for (const char *suffix : {".bc", ".ll", ".c"})
    if (name.consume_back(suffix)) break;
  std::vector<std::string> out = {name.str()}, words = request.symbolic;
  auto arguments = normalizeArguments(request.arguments);
  if (!arguments) return arguments.takeError();
  const bool isSized = !words.empty();
  if (!isSized && hasInputPlace(*arguments))
    words = {"--sym-files", "1", roomFor(kShortFile, request.search.seeds)};
  putInputName(*arguments, "A");
  words.insert(words.end(), arguments->begin(), arguments->end());
  if (words.empty() && !request.hasArguments) words = usualInput(request.search.seeds);
  out.insert(out.end(), words.begin(), words.end());
  if (llvm::Expected<bool> checked = checkTogether(out); !checked) return checked.takeError();
  return out;
}

/// One run: its budgets, and programs one after the other.
class ConfirmRun {
public:
  using Clock = std::chrono::steady_clock;

  ConfirmRun(const ConfirmRequest &request, Session &session)
      : request_(request), session_(session),
        memory_(request.limits.memoryBytes ? *request.limits.memoryBytes : defaultMemory()) {}

  llvm::Error judge(confirm::Batch &batch, const std::vector<ConfirmedProgram> &programs) {
    if (request_.resumes)
      if (llvm::Error e = requireKept(programs)) return e;
    std::vector<std::string> inputs;
    for (const ConfirmedProgram &program : programs)
      inputs.insert(inputs.end(), program.inputs.begin(), program.inputs.end());
    auto reproducer =
        Reproducer::make(inputs, request_.output, request_.force, request_.commandLine, session_);
    if (!reproducer) return reproducer.takeError();
    reproducer_ = std::move(*reproducer);
    for (size_t i = 0; i < programs.size(); ++i)
      if (llvm::Error e = judgeOne(batch, programs[i], programs.size() - i)) return e;
    session_.observer.endProgress();
    if (request_.usesCache) confirm::pruneVerdicts(native::defaultCache() + "/confirm", kMaxKept);
    return llvm::Error::success();
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

private:
  confirm::QuestionLimits limits() const {
    // The default of --max-memory is what is free now: another number in every run.
    return {request_.reportTime, request_.limits.memoryBytes.value_or(0), !request_.output.empty()};
  }

  /// A shorter one comes first where the user says nothing of lengths.
  std::vector<std::vector<std::string>> inputsFrom(std::vector<std::string> input) const {
    if (request_.symbolic.empty() && hasInputPlace(request_.arguments)) {
      std::vector<std::string> shorter = input;
      std::string &bytes = shorter.at(3); // program --sym-files 1 BYTES
      if (bytes == std::to_string(kShortFile)) return {std::move(input)};
      bytes = std::to_string(kShortFile);
      return {std::move(shorter), std::move(input)};
    }
    const bool isUsual =
        request_.symbolic.empty() && request_.arguments.empty() && !request_.hasArguments;
    if (!isUsual) return {std::move(input)};
    std::vector<std::string> shorter = {input.front()};
    shorter.insert(shorter.end(), kShortInput.begin(), kShortInput.end());
    return {std::move(shorter), std::move(input)};
  }

  llvm::Error requireKept(const std::vector<ConfirmedProgram> &programs) const {
    if (!request_.usesCache) return usageError("--resume and --no-cache exclude each other");
    const bool isKept = std::ranges::any_of(programs, [&](const ConfirmedProgram &program) {
      return confirm::KeptVerdicts(keptFile(program, request_), limits()).size() > 0;
    });
    if (isKept) return llvm::Error::success();
    return usageError("--resume: no verdict on this program with these options is kept; run "
                      "without --resume");
  }

  /// When one of `programs` programs has to be done: each has an equal part, and what the ones
  /// before it left.
  confirm::Deadline share(size_t programs) const {
    const std::chrono::milliseconds all = request_.limits.time;
    if (!all.count()) return std::nullopt;
    const auto now = Clock::now();
    return now + (began_ + all - now) / static_cast<int64_t>(programs);
  }

  llvm::Error judgeOne(confirm::Batch &batch, const ConfirmedProgram &input, size_t programsLeft) {
    confirm::JudgeOptions options;
    options.until = share(programsLeft);
    options.confirm = request_.search;
    auto words = inputOf(request_, input.name);
    if (!words) return words.takeError();
    if (request_.symbolic.empty())
      options.confirm.probes = longLines(words->front(), request_.arguments);
    options.confirm.inputs = inputsFrom(std::move(*words));
    confirm::KeptVerdicts kept(keptFile(input, request_), limits());
    options.kept = &kept;
    if (kept.unreadable())
      session_.observer.warn(fmt::format("{} cannot be read; their reports are checked again",
                                         counted(kept.unreadable(), "kept verdict")));
    if (kept.size()) {
      // The pointer analysis, which takes longer than all else here, is for questions only.
      auto program =
          loadExplored(input.inputs, request_.search.explore, /*mayBeLibrary=*/true, session_);
      if (!program) return program.takeError();
      if (batch.isAnswered(*program, kept)) {
        batch.judge(*program, options);
        return llvm::Error::success();
      }
    }
    auto analysed = loadAnalysed(input.inputs, request_, options.until, session_);
    if (!analysed) return analysed.takeError();
    if (analysed->isCut) kept.noteCutAnalysis();
    options.confirm.effects = &analysed->effects;
    reproducer_->use(input.inputs, options.confirm.inputs.back());
    options.confirm.keepInput = [this](const explore::Bug &bug) { return reproducer_->keep(bug); };
    options.runNatively = [this](confirm::Reproduction &native) { reproducer_->run(native); };
    options.confirm.explore.arguments = {input.name};
    options.confirm.perDefect = request_.reportTime;
    options.confirm.stop = &session_.interruption.stop;
    options.jobs = request_.jobs;
    options.comesFirst = request_.comesFirst;
    options.rounds = request_.rounds;
    options.memoryBytes = memory_;
    options.sources = flowSources(input, request_.limits, options.until, session_);
    options.progress = [&](const confirm::BatchProgress &p) {
      session_.observer.progress(
          progressText(input.name, p, request_.limits.time.count() > 0 || request_.rounds > 0));
    };
    batch.judge(analysed->program, options);
    return llvm::Error::success();
  }

  const ConfirmRequest &request_;
  Session &session_;
  const uint64_t memory_;
  std::unique_ptr<Reproducer> reproducer_;
  const Clock::time_point began_ = Clock::now();
};

} // namespace

llvm::Expected<Confirmation> confirmReports(const ConfirmRequest &asked, Session &session) {
  if (!asked.jobs) return usageError("--jobs 0: expected at least 1");
  ConfirmRequest request = asked;
  auto seeds = seedsIn(request.seeds, session);
  if (!seeds) return seeds.takeError();
  request.search.seeds = std::move(*seeds);
  WantedReports wanted(request);
  auto files = openReports(request);
  if (!files) return files.takeError();
  Confirmation out;
  out.batch = std::make_unique<confirm::Batch>(std::move(*files), std::ref(wanted));
  if (llvm::Error e = wanted.checkUsed(session)) return std::move(e);
  if (const Installation &here = Installation::get(); here.runtimeBitcode.empty())
    session.observer.warn(
        fmt::format("no lib/fathom/runtime.bc below {}: system calls are not modelled, "
                    "and no report is refuted; {}",
                    here.build, here.remedy));
  session.interruption.begin();
  ConfirmRun run(request, session);
  auto programs = programsOf(request, session);
  if (!programs) return programs.takeError();
  if (llvm::Error e = run.judge(*out.batch, *programs)) return std::move(e);
  out.seconds = run.seconds();
  return out;
}

} // namespace fathom::run
