# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(zlib)
programs=(pngtest pngimage pngfix)

build_subject() {
  configure_make --disable-shared --disable-hardware-optimizations
  run make pngtest pngimage
  run make "${no_regenerate[@]}" install
}
