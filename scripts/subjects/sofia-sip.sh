# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Only what parses: the layers below the transport.
programs=(libsofia-sip-ua/sip/.libs/libsip.a)

build_subject() {
  copy_source # Debian's source comes without configure, which is made where configure.ac is
  run autoreconf -fi
  source=$PWD
  run ./configure --disable-shared --disable-dependency-tracking --disable-stun --disable-nth --without-openssl --without-glib --without-doxygen \
    --disable-sctp --disable-ip6
  local part parts=(su features bnf sresolv ipt sdp url msg sip) flags=()
  for part in "${parts[@]}"; do
    run make -j"$jobs" -C "libsofia-sip-ua/$part"
    flags+=(-I"libsofia-sip-ua/$part")
  done
  for part in sip msg sdp url bnf su ipt; do flags+=("libsofia-sip-ua/$part/.libs/lib$part.a"); done
  merge_driver "${flags[@]}" -lpthread
}
