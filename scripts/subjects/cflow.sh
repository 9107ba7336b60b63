# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(src/cflow)

build_subject() { configure_make --disable-nls; }
