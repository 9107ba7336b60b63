# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(src/asn1Parser src/asn1Coding src/asn1Decoding fuzz-libtasn1-6)

build_subject() {
  configure_make --disable-shared --disable-doc --disable-valgrind-tests
  run make "${no_regenerate[@]}" install-data install-exec -C lib
  driver lib/.libs/libtasn1.a
  merge_driver lib/.libs/libtasn1.a
}
