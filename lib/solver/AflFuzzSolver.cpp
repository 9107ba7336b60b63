// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each query, a harness in C is compiled and fuzzed by afl-fuzz. The harness crashes iff all
// constraints hold for its input (CHarness.h), so a crash that afl-fuzz finds is a model.
#include "solver/AflFuzzSolver.h"

#include "expr/RowLayout.h"
#include "native/Process.h"
#include "solver/CHarness.h"
#include "solver/Deadline.h"
#include "solver/SearchClause.h"
#include "solver/Support.h"
#include "support/Folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace fathom::solver {

namespace fs = std::filesystem;
using expr::RowLayout;
using std::chrono::milliseconds;

static constexpr const char *kRuntime = "/usr/lib/afl/afl-compiler-rt.o";

std::string aflFuzzSolverMissing() {
  std::error_code ignored;
  if (native::findProgram("afl-fuzz").empty() || !fs::exists(kRuntime, ignored))
    return "afl-fuzz is not installed; Debian has it in the package afl++";
  if (native::findProgram("clang-19").empty())
    return "clang-19 is not installed; Debian has it in the package clang-19";
  return "";
}

namespace {

/// A folder that is deleted with everything in it.
class Scratch {
public:
  explicit Scratch(const std::string &in) {
    std::error_code ignored;
    std::string name =
        (in.empty() ? fs::temp_directory_path(ignored).string() : in) + "/fathom-afl-XXXXXX";
    if (mkdtemp(name.data())) path = name;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  std::string path;
};

bool writeFile(const std::string &path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  return file.good();
}

/// When the harness says that this happened first (CHarnessPrelude.h); nothing: it did not yet.
std::optional<WallClock::time_point> noted(const std::string &file) {
  std::ifstream stream(file);
  int64_t nanoseconds = 0;
  std::string rest;
  if (!(stream >> nanoseconds) || !std::getline(stream, rest) || stream.eof()) return std::nullopt;
  return WallClock::time_point(std::chrono::nanoseconds(nanoseconds)); // CLOCK_MONOTONIC
}

/// AFL++'s figure of this name in fuzzer_stats; 0: none.
uint64_t figure(const std::string &stats, const std::string &name) {
  std::ifstream file(stats);
  for (std::string line; std::getline(file, line);)
    if (line.rfind(name + " ", 0) == 0 || line.rfind(name + ":", 0) == 0)
      return std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10);
  return 0;
}

class AflFuzzSolver final : public FuzzSolver {
public:
  explicit AflFuzzSolver(const AflFuzzOptions &options) : options_(options) {}

  Answer solve(std::span<const ExprPtr> constraints, std::span<const Model *const> seeds,
               const FuzzBudget &budget) override {
    ++stats_.queries;
    Answer answer = run(constraints, seeds, budget);
    stats_.sat += answer.kind == AnswerKind::Sat;
    return answer;
  }
  FuzzStats stats() const override { return stats_; }

private:
  Answer run(std::span<const ExprPtr> asked, std::span<const Model *const> seeds,
             const FuzzBudget &budget) {
    const Model none;
    const Model *base = &none;
    for (const Model *seed : seeds) {
      if (!seed) continue;
      if (base == &none) base = seed;
      if (holds(*seed, asked)) return Answer::sat(*seed); // afl-fuzz refuses seeds that crash
    }
    if (holds(none, asked)) return Answer::sat(none);
    std::vector<ExprPtr> constraints;
    for (ExprPtr e : asked) flattenConjunction(e, constraints);
    RowLayout layout(constraints);
    if (!layout.size()) return Answer::unknown("fuzz: not found");
    const CHarness harness = makeCHarness(constraints, layout);
    if (!harness.error.empty()) return Answer::unknown("fuzz: " + harness.error);

    const auto compileStart = WallClock::now();
    Scratch scratch(options_.scratch);
    const std::string &folder = scratch.path;
    std::error_code failed;
    if (folder.empty() || !fs::create_directory(folder + "/seeds", failed))
      return Answer::unknown("fuzz: no folder to work in");
    if (!options_.keepHarnesses.empty()) {
      fs::create_directories(options_.keepHarnesses, failed);
      const std::string name = fmt::format("{}/{:06}.c", options_.keepHarnesses, stats_.queries);
      if (!writeFile(name, harness.source)) return Answer::unknown("fuzz: cannot write " + name);
    }
    std::vector<uint8_t> row(layout.rowBytes());
    unsigned number = 0;
    auto addSeed = [&](const Model &model) {
      layout.fill(model, row);
      writeFile(fmt::format("{}/seeds/{}", folder, number++),
                {reinterpret_cast<const char *>(row.data()), layout.size()});
    };
    for (const Model *seed : seeds)
      if (seed) addSeed(*seed);
    addSeed(none);
    const bool hasDictionary = writeDictionary(folder + "/dictionary", constraints, layout);
    if (!writeFile(folder + "/harness.c", harness.source))
      return Answer::unknown("fuzz: cannot write the harness");
    for (auto [name, coverage] : {std::pair("harness", "trace-pc-guard"),
                                  std::pair("harness.cmplog", "trace-pc-guard,trace-cmp")})
      if (std::string wrong = compile(folder, name, coverage); !wrong.empty())
        return Answer::unknown("fuzz: " + wrong);
    ++stats_.compilations;
    Answer answer = fuzz(folder, hasDictionary, budget, layout, *base, asked, compileStart);
    return answer;
  }

  /// AFL++ runs two programs: one to fuzz, and one that tells it the operands of comparisons
  /// (CmpLog), by clang's instrumentation instead of AFL++'s plugin.
  std::string compile(const std::string &folder, const std::string &name,
                      const std::string &coverage) {
    native::Command c;
    c.program = native::findProgram("clang-19");
    c.arguments = {"clang-19",
                   "-O1",
                   "-w",
                   "-fsanitize-coverage=" + coverage,
                   folder + "/harness.c",
                   kRuntime,
                   "-o",
                   folder + "/" + name,
                   "-ldl",
                   "-lm"};
    c.inheritEnvironment = true;
    c.captureOutput = true;
    c.limits.wall = milliseconds(60'000);
    native::Outcome o = native::run(c);
    if (o.ok()) return "";
    return "the harness does not compile: " + o.output.substr(0, o.output.find('\n'));
  }

  static bool writeDictionary(const std::string &path, std::span<const ExprPtr> constraints,
                              const RowLayout &layout) {
    std::set<std::string> words;
    for (ExprPtr e : constraints) {
      SearchClause clause = analyseClause(e, layout);
      for (const auto &token : clause.tokens)
        if (token.size() <= 32) words.insert(std::string(token.begin(), token.end()));
      for (uint64_t v : clause.constants) {
        std::string bytes(reinterpret_cast<const char *>(&v), 8);
        while (bytes.size() > 1 && !bytes.back()) bytes.pop_back();
        words.insert(bytes);
      }
    }
    std::string text;
    for (const std::string &word : words) {
      text += '"';
      for (char ch : word) text += fmt::format("\\x{:02x}", static_cast<uint8_t>(ch));
      text += "\"\n";
    }
    return !words.empty() && writeFile(path, text);
  }

  Answer fuzz(const std::string &folder, bool hasDictionary, const FuzzBudget &budget,
              const RowLayout &layout, const Model &base, std::span<const ExprPtr> asked,
              WallClock::time_point compileStart) {
    const std::string out = folder + "/out", crashes = out + "/default/crashes";
    native::Command c;
    c.program = native::findProgram("afl-fuzz");
    c.arguments = {"afl-fuzz",
                   "-i",
                   folder + "/seeds",
                   "-o",
                   out,
                   "-m",
                   "none",
                   "-t",
                   "100+",
                   "-s",
                   std::to_string(options_.seed),
                   "-c",
                   folder + "/harness.cmplog"};
    if (hasDictionary) c.arguments.insert(c.arguments.end(), {"-x", folder + "/dictionary"});
    c.arguments.insert(c.arguments.end(), {"--", folder + "/harness"});
    c.inheritEnvironment = true;
    c.environment = {"AFL_NO_UI=1",
                     "AFL_SKIP_CPUFREQ=1",
                     "AFL_NO_AFFINITY=1",
                     "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1",
                     "AFL_FAST_CAL=1",
                     "AFL_BENCH_UNTIL_CRASH=1",
                     "AFL_NO_STARTUP_CALIBRATION=1",
                     "FATHOM_AFL_TIMES=" + folder};
    c.stdoutFile = c.stderrFile = folder + "/log";
    llvm::Expected<native::Child> child = native::Child::start(c);
    if (!child) return Answer::unknown("fuzz: " + llvm::toString(child.takeError()));
    std::optional<WallClock::time_point> first;
    const auto startLimit = WallClock::now() + std::chrono::seconds(20);
    std::optional<Model> model;
    bool isOver = false;
    std::error_code ignored;
    while (!isOver && !model) {
      isOver = child->waitFor(milliseconds(5));
      if (!first && (first = noted(folder + "/first")))
        stats_.compileSeconds += std::chrono::duration<double>(*first - compileStart).count();
      if ((budget.stop && *budget.stop) ||
          WallClock::now() >= (first ? *first + budget.time : startLimit))
        isOver = true;
      for (auto &entry : entriesOf(crashes, ignored)) {
        if (entry.path().filename().string().rfind("id:", 0) != 0) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::string input{std::istreambuf_iterator<char>(file), {}};
        input.resize(layout.size());
        Model candidate =
            layout.model({reinterpret_cast<const uint8_t *>(input.data()), input.size()}, base);
        if (holds(candidate, asked)) model = std::move(candidate);
      }
    }
    // Until the harness met the model, not until we saw that.
    const auto found = model ? noted(folder + "/found") : std::nullopt;
    if (first)
      stats_.searchSeconds +=
          std::chrono::duration<double>(found.value_or(WallClock::now()) - *first).count();
    // It writes how many executions there were when it is asked to end, not when it is killed.
    constexpr milliseconds kTimeToEnd{2000};
    ::kill(child->pid(), SIGTERM);
    child->waitFor(kTimeToEnd);
    child->kill();
    child->wait();
    stats_.evaluations += figure(out + "/default/fuzzer_stats", "execs_done");
    if (!first) return Answer::unknown("fuzz: afl-fuzz did not start");
    if (model) return Answer::sat(std::move(*model));
    return Answer::unknown("fuzz: not found");
  }

  bool holds(const Model &model, std::span<const ExprPtr> constraints) {
    evaluator_.setModel(model, ++version_);
    return std::all_of(constraints.begin(), constraints.end(),
                       [&](ExprPtr e) { return evaluator_.isTrue(e); });
  }

  AflFuzzOptions options_;
  expr::Evaluator evaluator_;
  uint64_t version_ = 0;
  FuzzStats stats_;
};

} // namespace

std::unique_ptr<FuzzSolver> makeAflFuzzSolver(expr::ExprContext &, const AflFuzzOptions &options) {
  return std::make_unique<AflFuzzSolver>(options);
}

} // namespace fathom::solver
