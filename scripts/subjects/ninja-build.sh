# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
isCxx=yes
programs=(ninja)

build_subject() {
  run cmake -G Ninja -S "$source" -B . -DCMAKE_BUILD_TYPE=None -DBUILD_TESTING=OFF
  run ninja ninja
}
