# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(example minigzip fuzz-zlib)

build_subject() {
  copy_source
  run ./configure --static --prefix="$prefix"
  run make -j"$jobs" libz.a example minigzip
  run make install
  driver libz.a
}
