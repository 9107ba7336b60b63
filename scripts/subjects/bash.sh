# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(bash)

build_subject() {
  # Its own allocator would hide the heap; line editing has no part in what is analysed.
  configure_make --disable-nls --without-bash-malloc --disable-readline --without-curses
}
