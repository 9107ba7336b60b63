# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(progs/tic)

build_subject() {
  configure_make --without-cxx --without-cxx-binding --without-ada --without-manpages --without-tests --without-debug \
    --without-shared --disable-db-install --enable-termcap --enable-overwrite --with-fallbacks= --without-develop
  run make install.libs install.includes
}
