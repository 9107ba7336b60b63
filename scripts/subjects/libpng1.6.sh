# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(zlib)
programs=(pngtest pngimage pngfix fuzz-libpng1.6)

build_subject() {
  configure_make --disable-shared --disable-hardware-optimizations
  run make pngtest pngimage
  run make "${no_regenerate[@]}" install
  driver .libs/libpng16.a -lz -lm
  merge_driver .libs/libpng16.a -lz -lm
}
