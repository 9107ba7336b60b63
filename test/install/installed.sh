# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# installed.sh BUILD ROOT: installs BUILD into a new folder, moves that, and runs user.sh there as nobody (if we are root). ROOT is where the
# sources are.
set -euo pipefail
build=$1 root=$2
unset TMPDIR TMP TEMP TEMPDIR # other users may not enter a folder of ours
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cmake --install "$build" --prefix "$work/a prefix" --strip >"$work/log" || { cat "$work/log" >&2; exit 1; }
mv "$work/a prefix" "$work/another prefix"
echo installed
cp "$(dirname "$0")/user.sh" "$work/user"
mkdir -m 777 "$work/anywhere"
if [[ $(id -u) == 0 ]]; then
  su nobody -s /bin/sh -c "cd / && sh '$work/user' '$work/another prefix' '$work/anywhere/user'"
else
  (cd / && sh "$work/user" "$work/another prefix" "$work/anywhere/user")
fi
if grep -rlF "$root/" "$work/another prefix"; then
  echo "these files name the sources" >&2
  exit 1
fi
echo "no file names the sources"
