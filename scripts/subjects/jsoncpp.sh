# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=libjsoncpp
isCxx=yes
programs=(bin/jsoncpp_test fuzz-jsoncpp)

build_subject() {
  run cmake -G Ninja -S "$source" -B . -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF -DJSONCPP_WITH_POST_BUILD_UNITTEST=OFF -DBUILD_OBJECT_LIBS=OFF
  run ninja
  driver -I"$source/include" lib/libjsoncpp.a
}
