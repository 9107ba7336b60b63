# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(libogg)
programs=(lib/.libs/libvorbis.a)

build_subject() {
  configure_make --disable-shared --disable-docs --disable-examples --disable-oggtest --with-ogg="$prefix"
  run make "${no_regenerate[@]}" install
}
