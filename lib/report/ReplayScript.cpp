// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ReplayScript.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::report {

std::string shellQuote(const std::string &text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

/// Why the native program would not come to the bug, and what to do instead; empty: it does.
static std::string insteadOfRunning(const TestInputs &inputs, const Replayable &program) {
  const bool fails = !inputs.failedAllocations.empty();
  if (!program.entry.empty())
    return "printf '%s\\n' " +
           shellQuote(fmt::format(
               "replay.sh: not run: this bug was found with --entry {0}, but a native run starts "
               "at main; call {0} in a main of your own (fathom.h), explore that{1}, and replay "
               "its "
               "bug",
               program.entry, fails ? " with --fail-allocations" : ""));
  if (!fails) return "";
  const std::string explored = program.explored.empty() ? "PROGRAM" : shellQuote(program.explored);
  return "printf '%s\\n' " +
         shellQuote("replay.sh: not run: this bug needs an allocation that fails, which it would "
                    "not do here; to reproduce the bug: fathom replay " +
                    explored + " ") +
         "\"'$here'\"";
}

/// Runs the native program, and says how it ended.
static std::string runNatively(const TestInputs &inputs, const std::string &program, bool hangs) {
  std::string command = hangs ? "timeout -k 1 10 " : "";
  command += "env -i FATHOM_REPLAY_KTEST=\"$here/test.ktest\"";
  for (const std::string &e : inputs.environment) command += " " + shellQuote(e);
  command += " \"$program\"";
  for (size_t i = 1; i < inputs.arguments.size(); ++i)
    command += " " + shellQuote(inputs.arguments[i]);

  std::string script;
  if (program.empty())
    script += "program=${1:?the native program to run is wanted}\n";
  else
    script += fmt::format("program=${{1:-{}}}\n", shellQuote(program));
  script += "case $program in /*) ;; *) program=$PWD/$program ;; esac\n";
  script += "work=$(mktemp -d) || exit 2\n";
  script += "trap 'rm -rf \"$work\"' EXIT\n";
  if (!inputs.files.empty()) script += "cp -p \"$here\"/files/* \"$work\"\n";
  script += "cd \"$work\" || exit 2\n";
  script += command + " <\"$here/stdin\"\n";
  script += "status=$?\n";
  script += "echo \"replay.sh: exit status $status\" >&2\n";
  if (hangs)
    script += "[ $status -ne 124 ] || echo \"replay.sh: did not end within 10 s\" >&2\n"
              "[ $status -ne 0 ] || echo \"replay.sh: ended; on another schedule of its threads it "
              "may not\" >&2\n";
  else
    script +=
        "[ $status -ne 0 ] || echo \"replay.sh: no crash; if that is not what you expect, pass "
        "a build of the "
        "program with -fsanitize=address,undefined\" >&2\n";
  return script + "exit $status\n";
}

std::string replayScript(const TestInputs &inputs, const Replayable &program,
                         const std::string &what, bool hangs) {
  std::string line = what;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::string script = "#!/bin/sh\n";
  script += "# " + utf8(line) + "\n";
  const std::string instead = insteadOfRunning(inputs, program);
  if (instead.empty())
    script += "# Runs the native program on this bug's inputs, in a directory of its own.\n"
              "# usage: replay.sh [PROGRAM]    (another build of the program, for example with "
              "-fsanitize=address)\n";
  script += "here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 2\n";
  if (!instead.empty()) return script + instead + " >&2\nexit 2\n";
  return script + runNatively(inputs, program.native, hangs);
}

} // namespace fathom::report
