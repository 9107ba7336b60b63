# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(src/tar)

build_subject() { configure_make --disable-nls --disable-acl --without-posix-acls --without-selinux --without-xattrs; }
