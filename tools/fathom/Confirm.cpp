// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom confirm: a verdict for each report of an analyser.
#include "Command.h"
#include "ConfirmFlags.h"
#include "ConfirmOutput.h"
#include "ConfirmPrograms.h"
#include "ExploreProgram.h"
#include "OptionModel.h"
#include "Reproduce.h"
#include "Status.h"
#include "SymbolicArguments.h"

#include "confirm/Batch.h"
#include "confirm/KeptVerdicts.h"
#include "confirm/SarifFile.h"
#include "native/VariantCache.h"
#include "report/JsonText.h"
#include "run/DefaultMemory.h"
#include "support/NameTable.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

namespace fathom::tool {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using confirm::Verdict;
using std::chrono::milliseconds;

/// Programs whose verdicts are kept; those that were used longest ago are removed.
constexpr size_t kMaxKept = 256;

const char *const kConfirmFooter =
    R"(FILE is SARIF 2.1.0 (fathom scan --sarif, clang --analyze --analyzer-output sarif, CodeQL, Infer), the plist of
clang --analyze, the JSON of gcc -fanalyzer -fdiagnostics-format=json, cppcheck's XML, or Infer's report.json. A
folder stands for the files in it. Fathom explores from the function in which the defect begins, with unknown
arguments and memory, and looks for a bug of the report's kind at its place:

  confirmed   a feasible path shows the defect
  refuted     every path was followed to its end, and none shows it
  open        neither; the output says why, and what would settle the report

Paths that begin at another function than main, or at main with unknown arguments, have empty files and empty
standard input. Then Fathom looks for an input of main, of the form that symbolic input and -- ARGS describe; without
these it is --sym-args 0 2 8 --sym-files 1 16 --sym-stdin 16.
Fathom keeps verdicts in $FATHOM_CACHE (or ~/.cache/fathom), so a second run on the same program checks new reports only.

example:
  fathom scan list --sarif list.sarif
  fathom confirm list --reports list.sarif --sarif verdicts.sarif)";

/// Of a folder: the files with endings of reports, by name.
void addReportFiles(const std::string &path, std::vector<std::string> &out) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) {
    requireRegularFile("--reports", path);
    out.push_back(path);
    return;
  }
  std::vector<std::string> found;
  for (auto at = fs::recursive_directory_iterator(path, failed);
       !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    const std::string ending = at->path().extension().string();
    for (const char *known : {".sarif", ".plist", ".json", ".xml"})
      if (ending == known && at->is_regular_file(failed)) found.push_back(at->path().string());
  }
  if (found.empty())
    throw UsageError(
        fmt::format("--reports {}: no .sarif, .plist, .json or .xml file in this folder", path));
  std::sort(found.begin(), found.end());
  out.insert(out.end(), found.begin(), found.end());
}

/// Does the file say of any report whether it is new? One without reports need not.
bool hasStates(const confirm::ReportFile &file) {
  if (!file.size()) return true;
  const confirm::SarifFile *sarif = file.sarif();
  bool isFound = false;
  for (size_t i = 0; sarif && !isFound && i < file.size(); ++i)
    report::forEachMember(sarif->result(i), [&](llvm::StringRef key, llvm::StringRef) {
      isFound |= key == "baselineState";
    });
  return isFound;
}

std::vector<std::unique_ptr<confirm::ReportFile>> openAll(const ConfirmFlags &flags) {
  confirm::PathMap map;
  for (const std::string &pair : flags.pathMap) {
    const size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--path-map {}: expected OLD=NEW, two folders", pair));
    map.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  std::vector<std::string> paths;
  for (const std::string &path : flags.reports) addReportFiles(path, paths);
  std::vector<std::unique_ptr<confirm::ReportFile>> out;
  for (const std::string &path : paths) {
    out.push_back(orUsage(confirm::openReports(path, map)));
    if (flags.onlyNew && !hasStates(*out.back()))
      throw UsageError(fmt::format("--only-new: {}: no report has a baselineState; expected SARIF "
                                   "that `fathom scan --baseline` or the like wrote",
                                   path));
  }
  return out;
}

/// "a, b, c and 4 more"
std::string someOf(const std::set<std::string> &all) {
  constexpr size_t kNamed = 16;
  const size_t named = std::min(all.size(), kNamed);
  std::string out = fmt::format(
      "{}", fmt::join(all.begin(), std::next(all.begin(), static_cast<ptrdiff_t>(named)), ", "));
  return all.size() > named ? out + fmt::format(" and {} more", all.size() - named) : out;
}

/// Which reports are wanted: --only and --only-new.
class Wanted {
public:
  explicit Wanted(const ConfirmFlags &flags)
      : only_(flags.only), onlyNew_(flags.onlyNew), isUsed_(only_.size()), places_(only_.size()) {}

  bool operator()(const confirm::Defect &defect) {
    bool isChosen = only_.empty();
    const std::string place =
        isChosen ? "" : fmt::format("{}:{}", defect.sink.file, defect.sink.line);
    for (size_t i = 0; i < only_.size(); ++i) {
      const bool fits = defect.rule == only_[i] ||
                        defect.sink.file.find(only_[i]) != std::string::npos ||
                        (only_[i].find(':') != std::string::npos && place.ends_with(only_[i]));
      isUsed_[i] = isUsed_[i] || fits;
      isChosen |= fits;
      const std::string file = only_[i].substr(0, only_[i].rfind(':'));
      if (file != only_[i] && !file.empty() && defect.sink.file.ends_with(file))
        places_[i].insert(fmt::format("{}:{}", file, defect.sink.line));
    }
    if (!only_.empty()) rules_.insert(defect.rule.empty() ? "(none)" : defect.rule);
    return isChosen && !(onlyNew_ && defect.isKnown);
  }

  /// A misspelt rule would leave nothing to check, or less than is meant, without a word. With
  /// nothing left it is an error; without any report there is nothing that could fit.
  void checkUsed(Log &log) const {
    const bool isAnyUsed = std::ranges::find(isUsed_, true) != isUsed_.end();
    for (size_t i = 0; i < only_.size(); ++i) {
      if (isUsed_[i]) continue;
      if (rules_.empty()) {
        log.warn(fmt::format("--only {}: there are no reports", only_[i]));
        continue;
      }
      const std::string text = fmt::format(
          "--only {}: no report has this rule, or this in the path of its file; {}", only_[i],
          places_[i].empty() ? "the rules are " + someOf(rules_)
                             : "in that file, there are " + someOf(places_[i]));
      if (!isAnyUsed) throw UsageError(text);
      log.warn(text);
    }
  }

private:
  const std::vector<std::string> only_;
  const bool onlyNew_;
  std::vector<bool> isUsed_;
  std::set<std::string> rules_;               ///< of all reports, where some are chosen
  std::vector<std::set<std::string>> places_; ///< in the file of an `only_` that is FILE:LINE
};

std::string progressText(const std::string &program, const confirm::BatchProgress &p,
                         bool hasRounds) {
  std::string out = program;
  if (hasRounds && p.round.limit.count())
    out += fmt::format(": round {} ({} s each)", p.round.number,
                       grouped(std::chrono::duration<double>(p.round.limit).count()));
  return out + fmt::format(": report {} of {}: {} confirmed, {} refuted", p.asked, p.toAsk,
                           p.confirmed, p.refuted);
}

/// One run: its budgets, and programs one after the other.
class ConfirmRun {
public:
  ConfirmRun(ConfirmFlags &flags, Context &context)
      : flags_(flags), context_(context),
        reportTime_(parseDuration("--report-time", flags.reportTime)),
        allTime_(flags.explore.common.time()),
        memory_(flags.explore.common.maxMemory.empty() ? run::defaultMemory()
                                                       : flags.explore.common.memoryBytes()),
        status_(!flags.explore.common.quiet) {}

  void judge(confirm::Batch &batch, const std::vector<ConfirmedProgram> &programs) {
    if (flags_.resume) requireKept(programs);
    std::vector<std::string> inputs;
    for (const ConfirmedProgram &program : programs)
      inputs.insert(inputs.end(), program.inputs.begin(), program.inputs.end());
    reproducer_.emplace(inputs, flags_.search.output, flags_.search.force, context_.invocation,
                        context_.log);
    for (size_t i = 0; i < programs.size(); ++i) judgeOne(batch, programs[i], programs.size() - i);
    status_.clear();
    if (!flags_.noCache) confirm::pruneVerdicts(native::defaultCache() + "/confirm", kMaxKept);
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

private:
  confirm::QuestionLimits limits() const {
    // The default of --max-memory is what is free now: another number in every run.
    return {reportTime_, flags_.explore.common.maxMemory.empty() ? 0 : memory_,
            !flags_.search.output.empty()};
  }

  void requireKept(const std::vector<ConfirmedProgram> &programs) const {
    if (flags_.noCache) throw UsageError("--resume and --no-cache exclude each other");
    const bool isKept = std::ranges::any_of(programs, [&](const ConfirmedProgram &program) {
      return confirm::KeptVerdicts(keptFile(program, flags_, context_.invocation), limits())
                 .size() > 0;
    });
    if (!isKept)
      throw UsageError("--resume: no verdict on this program with these options is kept; run "
                       "without --resume");
  }

  /// When one of `programs` programs has to be done: each has an equal part, and what the ones
  /// before it left.
  confirm::Deadline share(size_t programs) const {
    if (!allTime_.count()) return std::nullopt;
    const auto now = Clock::now();
    return now + (began_ + allTime_ - now) / static_cast<int64_t>(programs);
  }

  void judgeOne(confirm::Batch &batch, const ConfirmedProgram &input, size_t programsLeft) {
    ExploreFlags explore = flags_.explore;
    explore.programs = input.inputs;
    explore.mayBeLibrary = true;
    confirm::JudgeOptions options;
    options.until = share(programsLeft);
    applyConfirmSearchFlags(flags_.search, input.name, context_.invocation, options.confirm);
    confirm::KeptVerdicts kept(keptFile(input, flags_, context_.invocation), limits());
    options.kept = &kept;
    if (kept.unreadable())
      context_.log.warn(fmt::format("{} cannot be read; their reports are checked again",
                                    counted(kept.unreadable(), "kept verdict")));
    if (kept.size()) {
      // The pointer analysis, which takes longer than all else here, is for questions only.
      const program::Program program = loadExplored(explore, context_.log);
      if (batch.isAnswered(program, kept)) return batch.judge(program, options);
    }
    const AnalysedProgram analysed = loadAnalysed(explore, flags_.search, options.until, context_);
    if (analysed.isCut) kept.noteCutAnalysis();
    options.confirm.effects = &analysed.effects;
    reproducer_->use(input.inputs, options.confirm.input);
    options.confirm.keepInput = [this](const explore::Bug &bug) { return reproducer_->keep(bug); };
    options.runNatively = [this](confirm::Reproduction &native) { reproducer_->run(native); };
    options.confirm.explore = flags_.explore.options;
    options.confirm.explore.arguments = {input.name};
    options.confirm.perDefect = reportTime_;
    options.confirm.stop = &context_.stop;
    options.jobs = flags_.explore.common.jobs;
    options.rounds = flags_.rounds;
    options.memoryBytes = memory_;
    options.sources = flowSources(input, flags_, options.until, context_);
    options.progress = [&](const confirm::BatchProgress &p) {
      status_.show(progressText(input.name, p, allTime_.count() > 0 || flags_.rounds > 0));
    };
    batch.judge(analysed.program, options);
  }

  ConfirmFlags &flags_;
  Context &context_;
  const milliseconds reportTime_, allTime_;
  const uint64_t memory_;
  Status status_;
  std::optional<Reproducer> reproducer_;
  const Clock::time_point began_ = Clock::now();
};

/// Confirmed reports that are findings. none: their number does not matter.
enum class FailOn : uint8_t { None, All, Main };
/// A configuration file says true or false.
constexpr auto kFailOnNames = nameTable<FailOn>({{"all", FailOn::All},
                                                 {"main", FailOn::Main},
                                                 {"true", FailOn::All},
                                                 {"false", FailOn::None},
                                                 {"", FailOn::None}});

FailOn failOn(const ConfirmFlags &flags) {
  if (const std::optional<FailOn> known = kFailOnNames.find(flags.failOn)) return *known;
  throw UsageError(fmt::format("--fail-on-findings={}: expected all or main", flags.failOn));
}

bool hasFindings(const ConfirmCounts &counts, FailOn which) {
  switch (which) {
  case FailOn::None: return false;
  case FailOn::All: return counts.verdicts.contains(Verdict::Confirmed);
  case FailOn::Main: return counts.fromMain > 0;
  }
  return false;
}

int runConfirm(ConfirmFlags &flags, Context &context) {
  const CommonOptions &common = flags.explore.common;
  configureLog(common, context.log);
  const FailOn which = failOn(flags);
  if (!common.jobs) throw UsageError("--jobs 0: expected at least 1");
  Wanted wanted(flags);
  confirm::Batch batch(openAll(flags), std::ref(wanted));
  wanted.checkUsed(context.log);
  if (const Installation &here = Installation::get(); here.runtimeBitcode.empty())
    context.log.warn(
        fmt::format("no lib/fathom/runtime.bc below {}: system calls are not modelled, "
                    "and reports of leaks stay open; {}",
                    here.build, here.remedy));
  context.catchInterrupts();
  ConfirmRun run(flags, context);
  run.judge(batch, programsOf(flags, context));
  if (!flags.sarif.empty()) writeVerdicts(batch, flags.sarif);
  const ConfirmCounts counts = countsOf(batch);
  if (common.json)
    printVerdictsJson(batch, counts, run.seconds());
  else if (!common.quiet)
    printVerdicts(batch, counts, run.seconds());
  if (context.stop) return kInterrupted;
  return hasFindings(counts, which) ? kFindings : kDone;
}

} // namespace

Run declareConfirm(CLI::App &app) {
  auto flags = std::make_shared<ConfirmFlags>();
  CommonOptions &common = flags->explore.common;
  app.footer(std::string(kSymbolicHelp) + "\n" + kConfirmFooter);
  app.add_option("PROGRAM", flags->explore.programs,
                 "executables that fathom-cc linked, .bc or .ll files, each a program of its own; "
                 "or the C files of one");
  app.add_option(
         "--compile-commands", flags->compileCommands,
         "build the programs and libraries of a compilation database, and check the reports "
         "in their files")
      ->type_name("FILE");
  app.add_option("--target", flags->target, "with --compile-commands: only this program or library")
      ->type_name("NAME");
  common.add(app, /*withOutput=*/false);
  app.add_option("--max-memory", common.maxMemory,
                 "memory limit of all reports that are checked at the same time; default: 70 % of "
                 "free memory")
      ->type_name("SIZE");
  app.add_flag("--fail-on-findings{all}", flags->failOn,
               "[=WHICH] exit with status 1 if a report is confirmed: from any function (all, the "
               "default), or from main only (main)");
  app.add_option("--reports", flags->reports,
                 "the reports of an analyser; may be given several times")
      ->required()
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--path-map", flags->pathMap,
                 "files below OLD in the reports are files below NEW in the program; may be given "
                 "several times")
      ->allow_extra_args(false)
      ->type_name("OLD=NEW");
  app.add_option("--sarif", flags->sarif, "write the reports with their verdicts as SARIF 2.1.0")
      ->type_name("FILE");
  app.add_option("--report-time", flags->reportTime, "time limit of one report")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--rounds", flags->rounds,
                 "end after N rounds of short tries (0.5 s, 2 s, 10 s and so on for each report, "
                 "without waiting for a processor); default: as --max-time allows, or one whole "
                 "--report-time")
      ->type_name("N");
  addConfirmSearchFlags(app, flags->search);
  app.add_option("--only", flags->only,
                 "check only reports of this rule, in files whose path contains this, or at this "
                 "line (FILE:LINE); may be given several times")
      ->allow_extra_args(false)
      ->type_name("RULE|FILE");
  app.add_flag("--only-new", flags->onlyNew,
               "check only reports that are new since an earlier document (SARIF of an analyser "
               "with a baseline, such as fathom scan --baseline)");
  app.add_flag("--resume", flags->resume,
               "continue an earlier run that was interrupted or ran out of time; an error if no "
               "verdict is kept");
  withValues(app, "--fail-on-findings", "all or main");
  app.add_flag("--no-cache", flags->noCache,
               "check reports again that an earlier run has settled, and keep no verdict");
  return [flags](Context &context) { return runConfirm(*flags, context); };
}

} // namespace fathom::tool
