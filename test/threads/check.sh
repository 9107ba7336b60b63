#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check.sh SOURCE TMP [option for the compiler]...: a program with threads whose output does not depend on the schedule. Five native runs, on
# the kernel's schedule (twice on one processor, where threads take turns in another way, and once with less right to it), end and print the same as the interpreted one; and the replayed test takes the same branches in the same order.
set -u
source=$1 tmp=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${FATHOM_BUILD:-$root/build}/bin
"$bin/fathom-cc" -g -w -pthread "$@" "$source" -o "$tmp.program" || exit 1
for run in 1 2 3 4 5; do
  case $run in
  2 | 4) perturbed="taskset -c 0" ;;
  5) perturbed="nice -n 5" ;;
  *) perturbed= ;;
  esac
  $perturbed "$root/scripts/differential" --allow-ledger "$tmp.program" || {
    echo "native run $run"
    exit 1
  }
done
"$bin/fathom" explore "$tmp.program" -o "$tmp.out" --force -q || exit 1
"$bin/fathom" replay "$tmp.program" "$tmp.out" --json >"$tmp.json" || exit 1
python3 - "$tmp.json" "$tmp.out/ledger.json" <<'END'
import json, sys
replay = json.load(open(sys.argv[1]))
seen = [replay["tests"], replay["divergence"]["compared"], replay["divergence"]["diverged"], replay["exit_status"]["differ"],
        replay["output"]["stdout_differ"], replay["output"]["stderr_differ"]]
categories = sorted({entry["category"] for entry in json.load(open(sys.argv[2]))["entries"]})
if seen != [1, 1, 0, 0, 0, 0] or "threads" not in categories:
    sys.exit("replayed: %s, ledger: %s" % (seen, categories))
END
