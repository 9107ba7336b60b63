# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(libxml2)
programs=(libxslt/.libs/libxslt.a)

build_subject() {
  configure_make --disable-shared --without-python --without-crypto --without-plugins --without-debugger --with-libxml-prefix="$prefix"
  run make "${no_regenerate[@]}" install
}
