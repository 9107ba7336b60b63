// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support.h"

#include "program/Load.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

#include "fmt/format.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

namespace fathom::explore::test {

program::Program compile(const std::string &source) {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("fathom-explore-test", folder)) {
    ADD_FAILURE() << "no temporary folder";
    return {};
  }
  std::string stem = std::string(folder) + "/program";
  std::ofstream(stem + ".c")
      << "void __fathom_make_symbolic(void *, unsigned long, const char *);\n"
         "void __fathom_assume(int);\n"
      << source;
  std::string command =
      fmt::format(FATHOM_CLANG " --target=x86_64-unknown-linux-musl -O0 -g -Xclang "
                               "-disable-O0-optnone -fno-builtin -S -emit-llvm "
                               "{0}.c -o {0}.ll",
                  stem);
  program::Program program;
  if (std::system(command.c_str()) != 0) {
    ADD_FAILURE() << "does not compile";
    return program;
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(stem + ".ll", diagnostic, context);
  (void)llvm::sys::fs::remove_directories(folder);
  program::LoadOptions options;
  options.allowUndefined = true;
  if (llvm::Error e = program::prepareModule(*module, options)) {
    ADD_FAILURE() << toString(std::move(e));
    return program;
  }
  llvm::Expected<program::Program> decoded = program::decode(*module);
  if (!decoded) {
    ADD_FAILURE() << toString(decoded.takeError());
    return program;
  }
  return std::move(*decoded);
}

namespace {
class Replying final : public solver::FeasibilityOracle {
public:
  Replying(Reply reply, std::unique_ptr<solver::FeasibilityOracle> chain)
      : reply_(std::move(reply)), chain_(std::move(chain)) {}
  solver::Answer check(const solver::Query &query) override {
    if (reply_)
      if (std::optional<solver::Answer> answer = reply_(query)) return std::move(*answer);
    return chain_->check(query);
  }
  std::vector<solver::StageStats> stats() const override { return chain_->stats(); }

private:
  Reply reply_;
  std::unique_ptr<solver::FeasibilityOracle> chain_;
};
} // namespace

Rig::Rig(const program::Program &program, Reply reply, ExploreOptions with)
    : options(std::move(with)) {
  options.arguments = {"program"};
  oracle = std::make_unique<Replying>(std::move(reply), solver::makeChain(context, options.solver));
  executor =
      std::make_unique<SymbolicExecutor>(program, context, *oracle, options, kept, stats, ledger);
}
Rig::~Rig() { live.clear(); }

void Rig::run(std::vector<std::unique_ptr<State>> states, unsigned turns,
              const std::function<void(const std::vector<std::unique_ptr<State>> &)> &between) {
  live = std::move(states);
  for (; !live.empty() && turns; turns--) {
    std::unique_ptr<State> state = std::move(live.back());
    live.pop_back();
    Step step = executor->run(*state, 1000);
    if (step.alive) live.push_back(std::move(state));
    for (auto &forked : step.forked) live.push_back(std::move(forked));
    if (between) between(live);
  }
}

void Rig::runAll() {
  std::string error;
  std::vector<std::unique_ptr<State>> first;
  first.push_back(executor->initialState(error));
  ASSERT_TRUE(first[0]) << error;
  run(std::move(first));
}

void Rig::runAll(Searcher &searcher) {
  std::string error;
  live.clear();
  live.push_back(executor->initialState(error));
  ASSERT_TRUE(live[0]) << error;
  searcher.add(nullptr, *live[0]);
  while (!live.empty()) {
    State &state = searcher.next();
    Step step = executor->run(state, 1000);
    for (auto &forked : step.forked) {
      searcher.add(&state, *forked);
      live.push_back(std::move(forked));
    }
    if (step.alive) {
      searcher.ran(state);
    } else {
      searcher.remove(state);
      std::erase_if(live, [&](const auto &s) { return s.get() == &state; });
    }
  }
}

std::vector<std::string> Rig::paths() const {
  std::vector<std::string> out;
  for (const TestCase &t : kept.tests)
    out.push_back(
        fmt::format("{} {} {:016x} {}", t.status, t.trace.count, t.trace.hash, t.instructions));
  std::sort(out.begin(), out.end());
  return out;
}

void runInTwo(Rig &before, unsigned turns, Rig &after) {
  std::string error;
  std::vector<std::unique_ptr<State>> first, frontier;
  first.push_back(before.executor->initialState(error));
  before.run(std::move(first), turns);
  for (const auto &state : before.live) {
    frontier.push_back(after.executor->restore(before.executor->prefixOf(*state), error));
    ASSERT_TRUE(frontier.back()) << error;
  }
  after.run(std::move(frontier));
  after.kept.tests.insert(after.kept.tests.end(), before.kept.tests.begin(),
                          before.kept.tests.end());
}

} // namespace fathom::explore::test
