# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sanitized-harness.sh BIN FOLDER NAME: explores and replays FOLDER/NAME.c, builds what replay says, and replays on that.
set -eu
PATH=$1:$PATH
cd "$2"
fathom-cc -g "$3.c" -o "$3"
fathom explore "$3" -o "$3.out" --fuzz-size 4 -q
fathom replay "$3" "$3.out" >"$3.txt"
cat "$3.txt"
command=$(sed -n 's/.*use a sanitizer: \(.*\), and replay with --binary BINARY$/\1/p' "$3.txt")
echo "said: $command"
sh -c "$(echo "$command" | sed "s/^clang/clang-19/; s/FILE.c/$3.c/; s/BINARY/$3.sanitized/")"
fathom replay "$3" "$3.out" --binary "$3.sanitized"
