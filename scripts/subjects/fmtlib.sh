# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
isCxx=yes
programs=(fuzz-fmtlib)

build_subject() {
  run cmake -G Ninja -S "$source" -B . -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF -DFMT_TEST=OFF -DFMT_DOC=OFF
  run ninja
  driver -I"$source/include" libfmt.a
}
