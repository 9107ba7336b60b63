# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(interface/gnugo)

build_subject() {
  # Its headers define variables. Files of patterns are made by programs of its own, which are built first.
  CFLAGS="$CFLAGS -fcommon" configure_make --without-curses --without-readline
}
