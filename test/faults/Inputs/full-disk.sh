#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# full-disk.sh FAULT.PY PROGRAM FOLDER: an exploration into a small file system of its own, and its end after that has grown. For
# a process with mounts of its own.
set -eu
mkdir -p "$3"
mount -t tmpfs -o size=8m none "$3"
"$1" "$2" "$3/out" --errors "$3.errors" -- --max-disk 1G
mount -o remount,size=400m "$3"
"$1" "$2" "$3/out" --errors "$3.errors" -- --resume --max-disk 1G
umount "$3"
