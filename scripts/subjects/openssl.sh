# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(apps/openssl)

build_subject() {
  run perl "$source/Configure" linux-x86_64-clang no-asm no-shared no-dso no-engine no-tests no-threads no-async \
    no-secure-memory --prefix="$prefix" --openssldir="$prefix/ssl" CC="$CC" CFLAGS="$CFLAGS"
  run make -j"$jobs" build_sw
}
