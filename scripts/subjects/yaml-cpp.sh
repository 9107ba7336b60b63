# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
isCxx=yes
programs=(util/parse fuzz-yaml-cpp)

build_subject() {
  run cmake -G Ninja -S "$source" -B . -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=ON
  run ninja
  driver -I"$source/include" libyaml-cpp.a
}
