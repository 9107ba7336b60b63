# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
isCxx=yes
programs=(fuzz-pugixml)

build_subject() {
  run $CXX $CXXFLAGS -c "$source/src/pugixml.cpp" -o pugixml.o
  driver -I"$source/src" pugixml.o
}
