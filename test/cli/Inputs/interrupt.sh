# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a command, asks it to stop after two seconds, and prints how it ended. The command is timeout, which passes the
# signal on twice, to its child and to its group: that is one wish.
"$@" >/dev/null 2>&1 &
sleep 2
kill -TERM $!
wait $!
echo "exit status $?"
