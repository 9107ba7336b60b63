# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(src/.libs/libogg.a)

build_subject() {
  configure_make --disable-shared
  run make "${no_regenerate[@]}" install
}
