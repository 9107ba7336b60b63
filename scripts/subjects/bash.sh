# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(bash)

build_subject() {
  # Its own allocator would hide the heap; line editing has no part in what is analysed. bash 5.2 takes its
  # own strtoimax when the test says that libc's works.
  configure_make --disable-nls --without-bash-malloc --disable-readline --without-curses bash_cv_func_strtoimax=no
}
