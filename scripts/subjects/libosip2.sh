# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(src/test/torture_test fuzz-libosip2)

build_subject() {
  configure_make --disable-shared --enable-test --disable-trace
  run make "${no_regenerate[@]}" install
  driver src/osipparser2/.libs/libosipparser2.a
}
