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

std::string replayScript(const TestInputs &inputs, const std::string &program,
                         const std::string &what, bool hangs) {
  std::string line = what;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::string command = hangs ? "timeout -k 1 10 " : "";
  command += "env -i FATHOM_REPLAY_KTEST=\"$here/test.ktest\"";
  for (const std::string &e : inputs.environment) command += " " + shellQuote(e);
  command += " \"$program\"";
  for (size_t i = 1; i < inputs.arguments.size(); ++i)
    command += " " + shellQuote(inputs.arguments[i]);

  std::string script = "#!/bin/sh\n";
  script += "# " + utf8(line) + "\n";
  script += "# Runs the native program on this bug's inputs, in a directory of its own.\n";
  script += "# usage: replay.sh [PROGRAM]    (another build of the program, for example with "
            "-fsanitize=address)\n";
  script += "here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 2\n";
  if (program.empty())
    script += "program=${1:?the native program to run is wanted}\n";
  else
    script += fmt::format("program=${{1:-{}}}\n", shellQuote(program));
  script += "case $program in /*) ;; *) program=$PWD/$program ;; esac\n";
  script += "work=$(mktemp -d) || exit 2\n";
  script += "trap 'rm -rf \"$work\"' EXIT\n";
  if (!inputs.files.empty()) script += "cp -p \"$here\"/files/* \"$work\"\n";
  script += "cd \"$work\" || exit 2\n";
  if (!inputs.failedAllocations.empty())
    script +=
        "echo \"replay.sh: allocations of this path failed, which they will not here: replay it "
        "with fathom replay\" >&2\n";
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
  script += "exit $status\n";
  return script;
}

} // namespace fathom::report
