# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(sendmail/sendmail)

# Its own build system asks the machine for libraries. Here are none: maps are those that need no database.
build_subject() {
  copy_source
  local part file flags
  mkdir machine # musl has no sys/cdefs.h
  sed "s/SM_CONF_SYS_CDEFS_H\t1/SM_CONF_SYS_CDEFS_H 0/" include/sm/os/sm_os_linux.h >machine/sm_os.h
  for part in libsm libsmutil sendmail; do
    # Nor has it rresvport, a socket with a port that only root may have.
    flags=(-Imachine -Isendmail -Iinclude -w -DHASSTRERROR=1 '-Drresvport(port)=(-1)')
    [[ $part != libsmutil ]] || flags+=(-DNOT_SENDMAIL)
    # The list of files is a definition in quotes of m4, on one line.
    for file in $(sed -n "s/^define(.bldSOURCES', .\(.*\.c\) *')$/\1/p" "$part/Makefile.m4"); do
      run $CC $CFLAGS "${flags[@]}" -c "$part/$file" -o "$part/${file%.c}.o"
    done
    [[ $part == sendmail ]] || run "$AR" rcs "$part.a" "$part"/*.o
  done
  run $CC $CFLAGS sendmail/*.o libsmutil.a libsm.a -o sendmail/sendmail -lcrypt
}
