// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ComparingFuzzSolver.h"

#include <fmt/format.h>

#include <cstdio>

namespace fathom::solver {

namespace {

class ComparingFuzzSolver final : public FuzzSolver {
public:
  ComparingFuzzSolver(std::unique_ptr<FuzzSolver> jit, std::unique_ptr<FuzzSolver> afl,
                      std::string file)
      : jit_(std::move(jit)), afl_(std::move(afl)), file_(std::move(file)) {}

  Answer solve(std::span<const ExprPtr> constraints, std::span<const Model *const> seeds,
               const FuzzBudget &budget) override {
    std::string line =
        fmt::format("{{\"query\": {}, \"constraints\": {}", ++queries_, constraints.size());
    Answer answer = ask(*jit_, "jit", constraints, seeds, budget, line);
    ask(*afl_, "afl", constraints, seeds, budget, line);
    if (std::FILE *file = std::fopen(file_.c_str(), "a")) {
      fmt::print(file, "{}}}\n", line);
      std::fclose(file);
    }
    return answer;
  }
  FuzzStats stats() const override { return jit_->stats(); }

private:
  static Answer ask(FuzzSolver &solver, const char *name, std::span<const ExprPtr> constraints,
                    std::span<const Model *const> seeds, const FuzzBudget &budget,
                    std::string &line) {
    const FuzzStats before = solver.stats();
    Answer answer = solver.solve(constraints, seeds, budget);
    const FuzzStats after = solver.stats();
    line +=
        fmt::format(", \"{}\": {{\"found\": {}, \"evaluations\": {}, \"compile_s\": {:.6f}, "
                    "\"search_s\": {:.6f}, \"reason\": \"{}\"}}",
                    name, answer.kind == AnswerKind::Sat, after.evaluations - before.evaluations,
                    after.compileSeconds - before.compileSeconds,
                    after.searchSeconds - before.searchSeconds, answer.reason);
    return answer;
  }

  std::unique_ptr<FuzzSolver> jit_, afl_;
  std::string file_;
  uint64_t queries_ = 0;
};

} // namespace

std::unique_ptr<FuzzSolver> makeComparingFuzzSolver(std::unique_ptr<FuzzSolver> jit,
                                                    std::unique_ptr<FuzzSolver> afl,
                                                    std::string file) {
  return std::make_unique<ComparingFuzzSolver>(std::move(jit), std::move(afl), std::move(file));
}

} // namespace fathom::solver
