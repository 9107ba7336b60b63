# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(sample/hello-world)

build_subject() {
  copy_source # Debian's source comes without configure, which is made where configure.ac is
  [[ -e configure ]] || run autoreconf -fi
  source=$PWD
  configure_make --disable-shared --disable-openssl --disable-mbedtls --disable-libevent-regress
  run make "${no_regenerate[@]}" install
}
