# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(darknet)

build_subject() {
  copy_source # its Makefile builds where the source is
  # go.c takes select from what other headers of glibc include. Without OpenCV, the one C++ file is empty. The library's shared form is left out.
  run make -j"$jobs" CC="$CC" CPP="$CC -x c" AR="$AR" OPTS="$CFLAGS -include sys/select.h" obj darknet
}
