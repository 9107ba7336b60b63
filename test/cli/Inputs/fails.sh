# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fails.sh STATUS COMMAND...: the command has to end with this status; errors of `fathom SUBCOMMAND` are one line.
expected=$1
shift
errors=$("$@" 2>&1 >/dev/null)
status=$?
printf '%s\n' "$errors"
if [ "$status" != "$expected" ]; then echo "exit status $status, expected $expected"; exit 1; fi
