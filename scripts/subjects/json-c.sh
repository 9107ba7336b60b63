# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(apps/json_parse fuzz-json-c)

build_subject() {
  run cmake -G Ninja -S "$source" -B . -DCMAKE_BUILD_TYPE=None -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DBUILD_APPS=ON -DDISABLE_WERROR=ON
  run ninja
  run ninja install
  driver libjson-c.a
  merge_driver libjson-c.a
}
