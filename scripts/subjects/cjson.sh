# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(fuzz-cjson)

build_subject() {
  run $CC $CFLAGS -I"$source" -c "$source/cJSON.c" -o cJSON.o
  run $CC $CFLAGS -I"$source" -c "$recipes/drivers/$name.c" -o driver.o
  local main=()
  [[ $variant == fathom ]] || main=("$recipes/drivers/standalone_main.c")
  run $CC $CFLAGS driver.o cJSON.o "${main[@]}" -o "fuzz-$name" -lm
}
