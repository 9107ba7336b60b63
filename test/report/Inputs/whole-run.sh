# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# whole-run.sh FATHOM-CC... FATHOM... SOURCES FOLDER: a folder as fathom run leaves it, and its page. (The tools come with their time limit.)
set -eu
for folder; do :; done
sources=$(eval "echo \${$(($# - 1))}")
compiler= fathom=
for word; do
  case $word in
  */fathom-cc) compiler=$word ;;
  */fathom) fathom=$word ;;
  esac
done
rm -rf "$folder"
mkdir -p "$folder/seeds" "$folder/run"
printf 12 >"$folder/seeds/a"
"$compiler" -g "$sources/Inputs/parser.c" -o "$folder/parser"
"$fathom" fuzz "$folder/parser" --corpus "$folder/seeds" --max-executions 3000 --unit 300execs -o "$folder/run/fuzz" -q
"$fathom" explore "$folder/parser" -o "$folder/run/explore" --sym-stdin 4 --max-instructions 3000000 -q
"$sources/make-run.py" "$folder/run"
"$fathom" report "$folder/run" -q
