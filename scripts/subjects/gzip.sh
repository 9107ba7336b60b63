# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(gzip)

build_subject() { configure_make --disable-nls; }
