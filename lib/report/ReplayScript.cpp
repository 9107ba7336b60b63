// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ReplayScript.h"

#include "native/Process.h"

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

/// A part of a shell's word: `fathom replay` of this bug, as a user would type it.
static std::string replayCommand(const Replayable &program) {
  const std::string explored = program.explored.empty() ? "PROGRAM" : shellQuote(program.explored);
  return shellQuote("fathom replay " + explored + " ") + "\"'$here'\"";
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
  return "printf '%s\\n' " +
         shellQuote("replay.sh: not run: this bug needs an allocation that fails, which it would "
                    "not do here; to reproduce the bug: ") +
         replayCommand(program);
}

/// Defines run(): runs $program in a directory of its own, leaves how it ended in $status.
static std::string runFunction(const TestInputs &inputs, const FoundBy &found, bool hangs) {
  const bool boundsHeap = found.sanitizers.find("address") != std::string::npos;
  std::string command = hangs ? "timeout -k 1 10 " : "";
  command += "env -i FATHOM_REPLAY_KTEST=\"$here/test.ktest\"";
  if (found.memoryBytes && boundsHeap)
    command += fmt::format(" FATHOM_MOST_HEAP={}", found.memoryBytes);
  for (const std::string &e : inputs.environment) command += " " + shellQuote(e);
  command += " \"$program\"";
  for (size_t i = 1; i < inputs.arguments.size(); ++i)
    command += " " + shellQuote(inputs.arguments[i]);

  std::string script = "run() {\n"
                       "  work=$(mktemp -d) || exit 2\n";
  if (!inputs.files.empty()) script += "  cp -p \"$here\"/files/* \"$work\"\n";
  script += "  ( cd \"$work\" || exit 2\n";
  if (found.memoryBytes && !boundsHeap)
    script += fmt::format("    [ \"$program\" != \"$found\" ] || ulimit -v {}\n",
                          found.memoryBytes / 1024);
  script += "    exec " + command + " <\"$here/stdin\" )\n";
  script += "  status=$?\n"
            "  rm -rf \"$work\"\n"
            "  echo \"replay.sh: exit status $status\" >&2\n"
            "}\n"
            "trap 'rm -rf \"$work\"' EXIT\n";
  return script;
}

/// Sets $program: what the script was called with, or `usual`.
static std::string chooseProgram(const std::string &usual) {
  return (usual.empty() ? std::string("program=${1:?the native program to run is wanted}\n")
                        : fmt::format("program=${{1:-{}}}\n", shellQuote(usual))) +
         "case $program in /*) ;; *) program=$PWD/$program ;; esac\n";
}

/// Runs the native program, and says how it ended.
static std::string runNatively(const TestInputs &inputs, const std::string &program, bool hangs) {
  std::string script = chooseProgram(program) + runFunction(inputs, {}, hangs) + "run\n";
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

/// "signal SIGABRT (heap-buffer-overflow)"
static std::string endText(const FoundBy &found) {
  if (!found.signal) return "no end within 10 s";
  return fmt::format("signal {}{}", native::signalName(found.signal),
                     found.check.empty() ? "" : " (" + found.check + ")");
}

/// Says how the run of the campaign ended, and runs the build that it ran: with a sanitizer at
/// once, otherwise where the native program ends differently.
static std::string runWhatFoundIt(const TestInputs &inputs, const Replayable &program) {
  const FoundBy &found = program.foundBy;
  constexpr int kTimedOut = 124, kSignalled = 128; // exit statuses of timeout and the shell
  const int expected = found.signal ? kSignalled + found.signal : kTimedOut;
  const bool isOnly = !found.sanitizers.empty() || program.native.empty();
  std::string script = "found=" + shellQuote(found.executable) + "\n";
  script += chooseProgram(isOnly ? found.executable : program.native);
  script += runFunction(inputs, found, !found.signal);
  script +=
      fmt::format("echo \"replay.sh: expected: {}, as in the campaign{}\" >&2\n", endText(found),
                  found.sanitizers.empty() ? "" : ", which had --sanitize " + found.sanitizers);
  const std::string gone =
      "  printf '%s\\n' \"replay.sh: $found, which the campaign ran, is gone; this builds and runs "
      "it again: \"" +
      replayCommand(program) + " >&2\n";
  if (isOnly)
    script +=
        "if [ \"$program\" = \"$found\" ] && [ ! -x \"$found\" ]; then\n" + gone + "  exit 2\nfi\n";
  script += "run\n";
  if (!isOnly)
    script += fmt::format("if [ $status -ne {} ] && [ $# -eq 0 ] && [ -x \"$found\" ]; then\n"
                          "  echo \"replay.sh: not so in $program: now the build that was fuzzed, "
                          "whose memory is laid out differently\" >&2\n"
                          "  program=$found\n"
                          "  run\nfi\n",
                          expected);
  script += fmt::format("if [ $status -eq {} ]; then echo \"replay.sh: as expected\" >&2\n"
                        "else echo \"replay.sh: not as in the campaign\" >&2; fi\n",
                        expected);
  return script + "exit $status\n";
}

std::string replayScript(const TestInputs &inputs, const Replayable &program,
                         const std::string &what, bool hangs) {
  std::string line = what;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::string script = "#!/bin/sh\n";
  script += "# " + utf8(line) + "\n";
  const std::string instead = insteadOfRunning(inputs, program);
  const bool isFuzzed = !program.foundBy.executable.empty();
  if (instead.empty())
    script += fmt::format("# Runs {} on this bug's inputs, in a directory of its own.\n"
                          "# usage: replay.sh [PROGRAM]    (another build of the program, for "
                          "example with -fsanitize=address)\n",
                          isFuzzed ? "the program that crashed" : "the native program");
  script += "here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 2\n";
  if (!instead.empty()) return script + instead + " >&2\nexit 2\n";
  return script +
         (isFuzzed ? runWhatFoundIt(inputs, program) : runNatively(inputs, program.native, hangs));
}

} // namespace fathom::report
