// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom solve: flags in, text out. The driver is lib/run/solve/Solve.h.
#include "Command.h"

#include "report/Files.h"
#include "run/solve/Solve.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

struct SolveFlags {
  CommonOptions common;
  solver::SolverOptions solver;
  std::string file, timeout = "60s";
  bool model = false;
};

const char *answerName(solver::AnswerKind kind) {
  switch (kind) {
  case solver::AnswerKind::Sat: return "sat";
  case solver::AnswerKind::Unsat: return "unsat";
  case solver::AnswerKind::Assumed:
  case solver::AnswerKind::Unknown: return "unknown";
  }
  return "";
}

int runSolve(const SolveFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  const std::string &limit = flags.common.maxTime.empty() ? flags.timeout : flags.common.maxTime;
  const solver::SmtLibAnswer answer = orThrow(run::solve(
      {flags.file, flags.solver,
       parseDuration(flags.common.maxTime.empty() ? "--timeout" : "--max-time", limit)}));
  if (flags.common.json) {
    fputs(report::jsonText([&](llvm::json::OStream &json) {
            json.object([&] {
              json.attribute("answer", answerName(answer.kind));
              json.attribute("reason", report::utf8(answer.reason));
              json.attribute("by_chain", answer.byChain);
              if (flags.model) json.attribute("model", report::utf8(answer.model));
            });
          }).c_str(),
          stdout);
    return kDone;
  }
  fmt::print("{}\n", answerName(answer.kind));
  if (flags.model && answer.kind == solver::AnswerKind::Sat)
    fmt::print("(\n{}{})\n", answer.model,
               answer.model.empty() || answer.model.back() == '\n' ? "" : "\n");
  if (!answer.reason.empty()) context.log.verbose(answer.reason);
  context.log.verbose(answer.byChain ? "answered by the chain"
                                     : "the chain does not support this file: Z3 alone answered");
  return kDone;
}

} // namespace

Run declareSolve(CLI::App &app) {
  auto flags = std::make_shared<SolveFlags>();
  app.footer(
      "Prints sat, unsat or unknown, and with --model a satisfying assignment.\n\nexample:\n  "
      "fathom solve query.smt2 --model --timeout 30s");
  app.add_option("FILE", flags->file, "an SMT-LIB2 file; its assertions are solved together")
      ->required();
  app.add_flag("--model", flags->model, "print a model after sat");
  app.add_option("--timeout", flags->timeout, "time limit for the whole file")
      ->capture_default_str()
      ->type_name("TIME");
  app.add_flag("--cross-check", flags->solver.crossCheck,
               "also ask Z3 alone, and stop if the answers contradict each other");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runSolve(*flags, context); };
}

} // namespace fathom::tool
