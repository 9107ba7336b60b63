# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(src/lua)

build_subject() {
  copy_source # its Makefile builds where the source is
  run make -j"$jobs" -C src CC="$CC" AR="$AR rcu" RANLIB="$RANLIB" CFLAGS="$CFLAGS -DLUA_USE_POSIX" MYLDFLAGS="${LDFLAGS:-}" liblua.a lua
}
