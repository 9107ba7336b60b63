# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(openssl lua5.1)
programs=(wrk)

# With Lua's interpreter of the same version instead of LuaJIT, whose interpreter is assembly and whose compiler writes
# machine code: wrk uses nothing else of it. What LuaJIT would link as bytecode, `require` finds as src/wrk.lua.
build_subject() {
  copy_source
  local suffix= file objects=() lua ssl
  [[ $variant == fathom ]] || suffix=-gcov
  lua=$subjects/lua5.1$suffix/src ssl=$subjects/openssl$suffix
  echo 'const char *VERSION = "4.1.0";' >src/version.c
  for file in wrk net ssl aprintf stats script units ae zmalloc http_parser version; do
    run $CC $CFLAGS -std=c99 -D_REENTRANT -D_POSIX_C_SOURCE=200112L -D_BSD_SOURCE -D_DEFAULT_SOURCE -I"$lua" -I"$ssl/include" \
      -I"$subjects/src/openssl/include" -c "src/$file.c" -o "$file.o"
    objects+=("$file.o")
  done
  run $CC $CFLAGS "${objects[@]}" "$lua/liblua.a" "$ssl/libssl.a" "$ssl/libcrypto.a" -o wrk -lpthread -lm -ldl
}
