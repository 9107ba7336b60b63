# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(.libs/libpcre2-8.a)

build_subject() {
  run "$source/configure" --prefix="$prefix" --disable-dependency-tracking --disable-shared --disable-jit --disable-cpp
  run make -j"$jobs" "${no_regenerate[@]}" libpcre2-8.la pcre2-config libpcre2-8.pc
  run make "${no_regenerate[@]}" install-libLTLIBRARIES install-includeHEADERS install-nodist_includeHEADERS install-binSCRIPTS
}
