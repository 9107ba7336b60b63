# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(zlib)
programs=(src/curl)

build_subject() {
  configure_make --disable-shared --without-ssl --with-zlib="$prefix" --without-brotli --without-zstd --without-libpsl \
    --without-libidn2 --without-nghttp2 --without-librtmp --without-libssh2 --disable-ldap --disable-manual
}
