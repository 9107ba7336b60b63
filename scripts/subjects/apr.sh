# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(test/testall fuzz-apr)

build_subject() {
  configure_make --disable-shared --disable-lfs --disable-dso
  run make "${no_regenerate[@]}" install
  run make -C test testall
  driver -I"$prefix/include/apr-1" .libs/libapr-1.a -lpthread -lcrypt
  merge_driver -I"$prefix/include/apr-1" .libs/libapr-1.a -lpthread -lcrypt
}
