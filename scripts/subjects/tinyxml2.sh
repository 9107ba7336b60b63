# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
isCxx=yes
programs=(xmltest fuzz-tinyxml2)

build_subject() {
  run cmake -G Ninja -S "$source" -B . -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF 
  run ninja
  driver -I"$source" libtinyxml2.a
}
