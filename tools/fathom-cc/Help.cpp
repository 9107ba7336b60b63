// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Help.h"

namespace fathom::cc {

const char *const kHelp = R"(a C compiler that keeps the whole program as LLVM bitcode
Usage: fathom-cc [OPTIONS] FILE...

fathom-cc replaces cc. For every program that it links, it writes PROGRAM, an ordinary native program, and PROGRAM.bc,
which holds the code of the whole program, libc included. The other tools of Fathom read both.
It accepts all options of clang. Programs are linked statically and not optimised, so options about that (-O2, -flto,
-fPIC, -pie, -static and others) change nothing. fathom-c++ compiles C++.

Options:
  --fathom-as-built        keep the -O level of the build in the bitcode and in the machine code; undefined behaviour
                           may be gone from both
  --fathom-help            print this text without clang's options
  --help                   print this text and clang's options
  --version                print the versions of fathom-cc and clang

Environment:
  FATHOM_SYSROOT           the headers and libraries to use instead of Fathom's own
  FATHOM_PREFIX            colon-separated install prefixes of libraries; their include and lib are searched first
  FATHOM_CLANG             the clang to use instead of LLVM 19's
  FATHOM_LLD               the linker to use instead of LLVM 19's
  FATHOM_STRIP             the strip to use instead of LLVM 19's

examples:
  fathom-cc -g prog.c -o prog
  CC=fathom-cc ./configure && make
  cmake -DCMAKE_C_COMPILER=fathom-cc ..

exit status: 0 success; otherwise that of clang or of the linker, or 1 for an error of fathom-cc itself
)";

} // namespace fathom::cc
