// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom: one executable, one file per subcommand. This file finds the subcommand, hands its
// options to CLI11, and turns whatever goes wrong into one line and an exit status.
//
// CLI11 does not see everything: what follows "--" belongs to the program, and symbolic input
// (--sym-args 0 2 3) is taken out before, because its order matters and its errors deserve better
// messages.
#include "Command.h"
#include "Config.h"
#include "OptionModel.h"
#include "Output.h"
#include "Unexpected.h"

#include "report/Version.h"
#include "run/explore/SymbolicArguments.h"

#include "llvm/Config/llvm-config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <map>

using namespace fathom::tool;

// Set by signal handlers, which can reach nothing else: the only state of the whole process here.
static std::atomic<bool> stopRequested{false};
static std::atomic<int> stopSignal{0}; ///< the first one, SIGINT (Ctrl-C) or SIGTERM

/// The first signal asks for an orderly end, a second one kills. What comes within half a second of
/// the first is the same wish: timeout(1) and terminals signal the process and its group.
static void onInterrupt(int signal) {
  static timespec first;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!stopRequested) {
    first = now;
    stopSignal = signal;
    stopRequested = true;
    return;
  }
  int64_t passed = (now.tv_sec - first.tv_sec) * 1000 + (now.tv_nsec - first.tv_nsec) / 1000000;
  if (passed < 500) return;
  std::signal(signal, SIG_DFL);
  raise(signal);
}

static void catchInterrupts() {
  struct sigaction action{};
  action.sa_handler = onInterrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

namespace {
struct Subcommand {
  const char *name, *help;
  Run (*declare)(CLI::App &);
};
} // namespace

static const Subcommand kSubcommands[] = {
    {"explore", "execute a program symbolically: tests, bugs, and what was not covered",
     declareExplore},
    {"replay", "run every test on the native program: coverage, divergence, reproduced bugs",
     declareReplay},
    {"tests", "list, show and extract the tests of a run", declareTests},
    {"fuzz", "fuzz with AFL++ and record what every sampling unit covered", declareFuzz},
    {"solve", "decide an SMT-LIB file with Fathom's solver chain", declareSolve},
    {"estimate", "estimate how much code a fuzzing campaign can still reach", declareEstimate},
    {"synth", "generate a C program whose reachable code is known", declareSynth},
    {"assess", "measure in many campaigns how far the estimators can be trusted", declareAssess},
    {"scan", "report defects and prove assertions without executing the program", declareScan},
    {"confirm", "find out which reports of an analyser are true", declareConfirm},
    {"diff", "tell what is new, fixed and unchanged between two versions of a program",
     declareDiff},
    {"dismiss", "record that a bug or report needs no repair", declareDismiss},
    {"psp", "rank alarms by the probability that some input triggers them", declarePsp},
    {"run", "fuzz, explore, scan and confirm at the same time, each with what the others found",
     declareRun},
    {"worker", "work for an exploration on another machine", declareWorker},
    {"repair", "make patches at a line, or rank patches that others made", declareRepair},
    {"report", "make one HTML page of results", declareReport},
    {"doctor", "check the toolchain, sysroot, solver and a program", declareDoctor},
};

static std::vector<std::string> subcommandNames() {
  std::vector<std::string> names;
  for (const Subcommand &s : kSubcommands) names.push_back(s.name);
  return names;
}

/// The first word that is no option has to be a subcommand.
static void checkSubcommand(const std::vector<std::string> &words) {
  if (words.empty() || words[0].empty() || words[0][0] == '-') return;
  const std::string &name = words[0];
  std::vector<std::string> names = subcommandNames();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw UsageError(
      fmt::format("{}: no such subcommand; this version has {}", name, fmt::join(names, ", ")));
}

/// The same of the word after a subcommand that has subcommands of its own (psp).
static void checkOwnSubcommand(const CLI::App &app, const std::vector<std::string> &words) {
  if (words.empty()) return;
  const std::string word = words.size() > 1 ? words[1] : "";
  for (const CLI::App *subcommand : app.get_subcommands({})) {
    const auto own = subcommand->get_subcommands({});
    if (subcommand->get_name() != words[0] || own.empty() || word.starts_with("-")) continue;
    if (std::ranges::none_of(own, [&](const CLI::App *one) { return one->get_name() == word; }))
      throw UsageError(noSubcommandText(*subcommand, word));
  }
}

static const char *const kMainFooter = R"(the first three commands:
  fathom-cc -g prog.c -o prog                               build a program for analysis (a project: CC=fathom-cc make)
  fathom explore prog --sym-stdin 8                         find tests and bugs, for any 8 bytes of input
  fathom scan prog --sarif prog.sarif                       what may be wrong, without running it

examples:
  fathom replay prog fathom-out                             run the tests on the native program
  fathom confirm prog --reports prog.sarif                  which of the reports are true
  fathom fuzz prog --max-time 1h -o campaign                fuzz and record coverage
  fathom estimate campaign                                  how much the campaign can still reach
  fathom repair prog.c --at prog.c:12 --tests 'sh test.sh'  patches for a line that pass the tests
  fathom doctor prog                                        when something does not work

exit status: 0 success; 1 findings (with --fail-on-findings; for doctor: a part of Fathom is missing); 2 wrong usage or unusable input; 3 internal error; 130 after Ctrl-C or SIGTERM (results so far are kept))";

static Invocation takeApart(int argc, char **argv, std::vector<std::string> &words) {
  Invocation invocation;
  invocation.all.assign(argv, argv + argc);
  words.assign(argv + 1, argv + argc);
  auto separator = std::find(words.begin(), words.end(), "--");
  if (separator != words.end()) {
    invocation.hasSeparator = true;
    invocation.arguments.assign(separator + 1, words.end());
    words.erase(separator, words.end());
  }
  return invocation;
}

/// The FILE of --config FILE or --config=FILE.
static std::string configFile(const std::vector<std::string> &words) {
  std::string file;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--config" && i + 1 < words.size()) file = words[i + 1];
    if (words[i].rfind("--config=", 0) == 0) file = words[i].substr(9);
  }
  return file;
}

/// A setting that the subcommand does not have is an error of the file, not of the command line.
static void checkConfig(const std::string &file, const std::vector<std::string> &settings,
                        CLI::App &subcommand) {
  for (const std::string &word : settings) {
    std::string flag = word.substr(0, word.find('='));
    if (!subcommand.get_option_no_throw(flag) && flag.rfind("--sym-", 0) != 0)
      throw UsageError(fmt::format("{}: {} is not an option of fathom {}", file, flag.substr(2),
                                   subcommand.get_name()));
  }
}

/// An option at the end of a command line goes to the program, and not to fathom: prints a hint.
static void hintAtOwnOptions(const CLI::App &subcommand, const Invocation &invocation) {
  const CLI::Option *quiet = subcommand.get_option_no_throw("--quiet");
  if (quiet && quiet->count()) return;
  for (const std::string &word : invocation.arguments) {
    const std::string flag = word.substr(0, word.find('='));
    if (flag.rfind("--", 0) != 0 || flag == "--help" || !subcommand.get_option_no_throw(flag))
      continue;
    fprintf(stderr,
            "fathom: %s stands after --, so it goes to the program; put options of fathom before "
            "--\n",
            flag.c_str());
    return;
  }
}

/// CLI11 would take -3 for a very large number.
static void checkNaturalNumbers(CLI::App &subcommand, unsigned maxJobs) {
  for (CLI::Option *option : subcommand.get_options())
    if (takesNaturalNumber(*option)) option->transform(naturalNumber(*option, maxJobs));
  for (CLI::App *own : subcommand.get_subcommands({})) checkNaturalNumbers(*own, maxJobs);
}

// TOUR(1)
static int runMain(int argc, char **argv) {
  CLI::App app{
      "Fathom finds out what a C program can do. It executes the program symbolically for tests "
      "and bugs\n(explore), fuzzes it and measures what is left (fuzz, estimate), reports "
      "defects without running it (scan),\ntells true reports from false ones (confirm), "
      "and makes patches (repair).",
      "fathom"};
  app.set_version_flag("--version", fmt::format("fathom {} (LLVM {})", fathom::report::kVersion,
                                                LLVM_VERSION_STRING));
  app.footer(kMainFooter);
  app.require_subcommand(0, 1);
  std::map<std::string, Run> runs;
  for (const Subcommand &s : kSubcommands)
    runs[s.name] = s.declare(*app.add_subcommand(s.name, s.help));

  for (const Subcommand &s : kSubcommands)
    checkNaturalNumbers(*app.get_subcommand(s.name),
                        s.declare == declareAssess ? kMaxTrialsAtOnce : kMaxJobs);

  std::vector<std::string> words;
  Invocation invocation = takeApart(argc, argv, words);
  if (words == std::vector<std::string>{kDescribeOptions}) {
    fputs(describeOptions(app).c_str(), stdout);
    return kDone;
  }
  if (words == std::vector<std::string>{kDescribeKinds}) {
    fputs(describeKinds().c_str(), stdout);
    return kDone;
  }
  if (words == std::vector<std::string>{kDescribeLedger}) {
    fputs(describeLedger().c_str(), stdout);
    return kDone;
  }
  checkSubcommand(words);
  checkOwnSubcommand(app, words);
  auto chosen =
      std::find_if(words.begin(), words.end(), [&](const std::string &w) { return runs.count(w); });
  if (chosen != words.end()) {
    // A copy: `words` grows below.
    std::string name = *chosen; // NOLINT(performance-unnecessary-copy-initialization)
    std::string file = configFile(words);
    if (!file.empty()) {
      std::vector<std::string> more =
          configWords(file, *app.get_subcommand(name), subcommandNames(), words);
      checkConfig(file, more, *app.get_subcommand(name));
      words.insert(chosen + 1, more.begin(), more.end());
    }
    if (name == "explore" || name == "confirm")
      invocation.symbolic = orThrow(fathom::run::takeSymbolic(words));
  }
  try {
    std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
    app.parse(words);
  } catch (const CLI::CallForHelp &e) {
    return app.exit(e) ? kInternal : kDone;
  } catch (const CLI::CallForVersion &e) {
    return app.exit(e) ? kInternal : kDone;
  } catch (const CLI::ExtrasError &e) {
    std::vector<CLI::App *> sub = app.get_subcommands();
    if (sub.empty()) throw UsageError(fmt::format("{}; see fathom --help", e.what()));
    throw UsageError(unexpectedText(*sub[0], app.remaining(/*recurse=*/true)));
  } catch (const CLI::ConversionError &e) {
    throw UsageError(unreadableText(*app.get_subcommands().at(0), e));
  } catch (const CLI::ParseError &e) {
    std::string text = e.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::vector<CLI::App *> sub = app.get_subcommands();
    throw UsageError(fmt::format("{}; see {} --help", text,
                                 sub.empty() ? "fathom" : "fathom " + sub[0]->get_name()));
  }
  std::vector<CLI::App *> sub = app.get_subcommands();
  if (sub.empty()) {
    fputs(app.help().c_str(), stderr);
    return kUsage;
  }
  hintAtOwnOptions(*sub[0], invocation);
  Log log;
  Context context{invocation, log, stopRequested, catchInterrupts, stopSignal};
  signal(SIGPIPE, SIG_IGN); // see Output.h
  const int status = runs[sub[0]->get_name()](context);
  // What was found so far is written; the shell is to know that it is not all, and to end a loop.
  return stopSignal && (status == kDone || status == kFindings) ? kInterrupted : status;
}

/// Terms can be tall and the SMT solver walks them recursively: as much stack as the address space
/// has room for.
static void growStack() {
  constexpr rlim_t kStack = rlim_t(120) << 20;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStack) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? kStack : std::min(kStack, limit.rlim_max);
  setrlimit(RLIMIT_STACK, &limit);
}

int main(int argc, char **argv) {
  growStack();
  keepOutputErrors();
  try {
    return statusAfterOutput(runMain(argc, argv));
  } catch (const UsageError &e) {
    fprintf(stderr, "fathom: %s\n", e.what());
    return kUsage;
  } catch (const std::exception &e) {
    fprintf(stderr, "fathom: internal error: %s\n", e.what());
    return kInternal;
  }
}
