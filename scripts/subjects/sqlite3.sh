# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(sqlite3 fuzz-sqlite3)

build_subject() {
  copy_source
  source=$PWD
  configure_make --disable-shared --disable-tcl --disable-readline --disable-threadsafe --disable-load-extension
  driver -I. .libs/libsqlite3.a -lm
}
