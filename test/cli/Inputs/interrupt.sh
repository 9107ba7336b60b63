# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a command, asks it to stop after two seconds, and prints how it ended.
"$@" >/dev/null 2>&1 &
sleep 2
# The command is timeout. Its child is signalled directly: timeout passes a signal on twice (to the child and to its group), and the
# second one means "at once".
kill -TERM $(cat /proc/$!/task/$!/children)
wait $!
echo "exit status $?"
