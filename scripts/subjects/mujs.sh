# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(build/release/mujs)

build_subject() {
  copy_source
  # Without readline; the interpreter is the program.
  run make -j"$jobs" CC="$CC" CFLAGS="$CFLAGS" AR="$AR" HAVE_READLINE=no build/release/mujs
}
