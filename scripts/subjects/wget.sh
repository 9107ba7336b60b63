# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(zlib)
programs=(src/wget)

build_subject() {
  configure_make --disable-nls --without-ssl --without-libpsl --without-libuuid --without-metalink --disable-pcre \
    --disable-pcre2 --disable-iri
  # The drivers bring a main of their own; main.c also defines what the rest of wget needs.
  local flags=(-DHAVE_CONFIG_H -include config.h -DSYSTEM_WGETRC='"/etc/wgetrc"' -DLOCALEDIR='""' -Isrc -Ilib -I"$source/src" -I"$source/lib")
  if [[ $variant == fathom ]]; then
    run $CC $CFLAGS "${flags[@]}" -I"$prefix/include" -Dmain=wget_main -c "$source/src/main.c" -o merge-main.o
    merge_driver "${flags[@]}" merge-main.o $(ls src/*.o | grep -v src/main.o) lib/libgnu.a -lz
  fi
}
