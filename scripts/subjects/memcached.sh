# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(libevent)
programs=(memcached)

build_subject() {
  copy_source
  [[ -e configure ]] || run autoreconf -fi
  source=$PWD
  configure_make --with-libevent="$prefix" --disable-coverage --disable-extstore
}
