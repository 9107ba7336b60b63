# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a command, asks it to stop after two seconds, and prints how it ended.
"$@" >/dev/null 2>&1 &
sleep 2
# The command is timeout, which passes the signal on.
kill -TERM $!
wait $!
echo "exit status $?"
