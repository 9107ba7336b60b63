# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(libxslt libvorbis)
programs=(src/icecast)

build_subject() {
  # Its check for this function of libxslt links without what libxslt needs.
  ac_cv_func_xsltSaveResultToString=yes configure_make --with-xslt-config="$prefix/bin/xslt-config" --with-ogg="$prefix" --with-vorbis="$prefix" --without-theora --without-speex \
    --without-curl --disable-yp --without-openssl
}
