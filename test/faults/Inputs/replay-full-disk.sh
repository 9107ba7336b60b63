# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# replay-full-disk.sh PROGRAM RESULTS DISK: replays a copy of the results that fills its disk. For mounts of its own.
mount -t tmpfs -o size=2m tmpfs "$3" && cp -r "$2/." "$3/" || exit 1
dd if=/dev/zero of="$3/filler" bs=1k 2>/dev/null
fathom replay "$1" "$3"
echo "status $?"
