# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the commands of a transcript (standard input), each after its prompt.
sed -n 's/^\$ //p' > commands
while IFS= read -r command; do
  echo "\$ $command"
  sh -c "$command" < /dev/null
done < commands
exit 0 # the last command may be one that crashes, as the transcript shows
