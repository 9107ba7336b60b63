# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(src/bison)

build_subject() {
  run "$source/configure" --disable-nls --disable-yacc --disable-dependency-tracking
  # Debian leaves the manual out, and examples are made from it: only the headers and the program are made.
  printf 'include Makefile\nheaders: $(filter-out examples/%% doc/%%,$(BUILT_SOURCES))\n' >headers.mk
  run make -f headers.mk "${no_regenerate[@]}" headers
  run make -j"$jobs" "${no_regenerate[@]}" src/bison
}
