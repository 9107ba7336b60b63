# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(lib/.libs/libexpat.a)

build_subject() {
  cp -r "$source/expat/." . # Debian's source comes without configure, which is made where configure.ac is
  run autoreconf -fi
  source=$PWD
  configure_make --disable-shared --without-docbook --without-examples --without-tests --without-xmlwf
  run make "${no_regenerate[@]}" install
}
