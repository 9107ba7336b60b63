# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(ncurses)
programs=(less)

build_subject() { configure_make; }
