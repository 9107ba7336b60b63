# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(zlib)
programs=(xmllint fuzz-libxml2)

build_subject() {
  configure_make --disable-shared --without-python --without-lzma --without-icu --with-zlib="$prefix" --without-http --without-ftp
  run make "${no_regenerate[@]}" install-libLTLIBRARIES install-binSCRIPTS install-pkgconfigDATA
  run make "${no_regenerate[@]}" -C include install
  driver -I"$source/include" -Iinclude .libs/libxml2.a -lz -lm -lpthread
}
