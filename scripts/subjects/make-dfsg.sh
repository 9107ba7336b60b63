# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(make)

build_subject() {
  copy_source # Debian's source comes without configure, which is made where configure.ac is
  run autoreconf -fi
  source=$PWD
  configure_make --disable-nls --without-guile --disable-load
}
