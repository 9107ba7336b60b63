# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(bzip2 bzip2recover)

build_subject() {
  copy_source # its Makefile builds where the source is
  run make -j"$jobs" CC="$CC" AR="$AR" RANLIB="$RANLIB" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" \
    LDFLAGS="${LDFLAGS:-}" libbz2.a bzip2recover
  # Debian's own rule for bzip2 wants the shared library.
  run $CC $CFLAGS -D_FILE_OFFSET_BITS=64 -o bzip2 bzip2.c libbz2.a
}
