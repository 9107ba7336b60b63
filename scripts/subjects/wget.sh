# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(zlib)
programs=(src/wget)

build_subject() {
  configure_make --disable-nls --without-ssl --without-libpsl --without-libuuid --without-metalink --disable-pcre \
    --disable-pcre2 --disable-iri
}
