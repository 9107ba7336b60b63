# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(sed/sed)

build_subject() { configure_make --disable-nls --disable-acl --without-selinux --disable-i18n; }
