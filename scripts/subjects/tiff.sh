# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(zlib)
programs=(tools/tiffinfo tools/tiffcp fuzz-tiff)

build_subject() {
  copy_source # Debian's source comes without configure, which is made where configure.ac is
  run autoreconf -fi
  source=$PWD
  configure_make --disable-shared --disable-cxx --disable-jpeg --disable-lzma --disable-zstd --disable-webp \
    --disable-lerc --disable-jbig --disable-libdeflate --without-x --with-zlib-include-dir="$prefix/include" \
    --with-zlib-lib-dir="$prefix/lib"
  driver -Ilibtiff libtiff/.libs/libtiff.a -lz -lm
}
