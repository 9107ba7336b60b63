# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(apr expat)
programs=(.libs/libaprutil-1.a)

build_subject() {
  copy_source # its Makefiles come from apr's build files, and name the directory of the source
  source=$PWD
  configure_make --with-apr="$prefix/bin/apr-1-config" --with-expat="$prefix" --disable-util-dso --without-pgsql --without-mysql \
    --without-sqlite3 --without-sqlite2 --without-odbc --without-gdbm --without-ndbm --without-berkeley-db --without-ldap --without-crypto \
    --without-iconv
  run make "${no_regenerate[@]}" install
}
