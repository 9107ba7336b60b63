# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# GNU coreutils 9.1: a hundred small tools, the classic subject of symbolic execution.
programs=(src/cut src/echo src/tr src/base64 src/basename src/expr src/printf src/uniq src/cat src/head
  src/tail src/sort src/od src/join src/fold src/nl src/paste src/comm src/seq src/dirname)

build_subject() {
  # No optional libraries; nls and the thread library of sort have nothing to do with what is tested.
  configure_make --disable-nls --disable-acl --disable-xattr --disable-libcap --disable-libsmack \
    --without-selinux --without-openssl --without-libgmp --disable-rpath
}
