# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(src/test/torture_test)

build_subject() {
  configure_make --disable-shared --enable-test --disable-trace
  run make "${no_regenerate[@]}" install
}
