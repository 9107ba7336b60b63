#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# full-disk.sh FAULT.PY PROGRAM FOLDER SIZE [OPTIONS]: an exploration into a small file system of its own, and its end after that has grown. For
# a process with mounts of its own.
set -eu
fault=$1 program=$2 folder=$3 size=$4
shift 4
mkdir -p "$folder"
mount -t tmpfs -o size="$size" none "$folder"
"$fault" "$program" "$folder/out" --errors "$folder.errors" -- --max-disk 1G "$@"
mount -o remount,size=400m "$folder"
"$fault" "$program" "$folder/out" --errors "$folder.errors" -- --resume --max-disk 1G "$@"
umount "$folder"
