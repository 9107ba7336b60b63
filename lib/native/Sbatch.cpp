// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/Sbatch.h"

#include "native/Process.h"
#include "support/TextError.h"

#include <fmt/format.h>

namespace fathom::native {

std::string shellQuoted(const std::string &text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// What the command says, without the line's end.
static llvm::Expected<std::string> outputOf(Command command, const char *name) {
  command.inheritEnvironment = true;
  command.captureOutput = true;
  command.limits.wall = std::chrono::minutes(2);
  const Outcome outcome = run(command);
  llvm::StringRef said = llvm::StringRef(outcome.output).trim();
  said = said.substr(said.rfind('\n') + 1);
  said.consume_front(fmt::format("{}: error: ", name)); // which is said below
  if (!outcome.ok())
    return textError(fmt::format("{}: {}", name, said.empty() ? describe(outcome) : said.str()));
  return said.str();
}

llvm::Expected<std::string> submit(const Submission &submission) {
  // A shell runs the command, so that the user's options are split as usual.
  std::string line = shellQuoted(submission.sbatch) + " --parsable " + submission.options;
  for (const std::string &argument : submission.arguments) line += " " + shellQuoted(argument);
  Command command;
  command.program = "/bin/sh";
  command.arguments = {"sh", "-c", line};
  command.environment = submission.environment;
  llvm::Expected<std::string> said = outputOf(std::move(command), "sbatch");
  if (!said) return said;
  return llvm::StringRef(*said).split(';').first.str();
}

llvm::Error cancel(const std::string &scancel, const std::vector<std::string> &jobs) {
  Command command;
  command.program = scancel;
  command.arguments = {"scancel"};
  command.arguments.insert(command.arguments.end(), jobs.begin(), jobs.end());
  return outputOf(std::move(command), "scancel").takeError();
}

} // namespace fathom::native
