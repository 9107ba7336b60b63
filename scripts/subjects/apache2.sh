# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
needs=(apr-util pcre2)
programs=(httpd)

build_subject() {
  copy_source # Debian's build files are made where configure.in is
  touch server/util_expr_*.[ch] # made by flex and bison, and delivered
  sed -i "s/BUILD_DATETIME/__DATE__/" server/buildmark.c # Debian passes it
  source=$PWD
  # Modules are part of the program: there is nothing to load at run time.
  configure_make --with-apr="$prefix/bin/apr-1-config" --with-apr-util="$prefix/bin/apu-1-config" --with-pcre="$prefix/bin/pcre2-config" \
    --with-mpm=prefork --disable-so --enable-modules=none --disable-ssl --disable-lua \
    --enable-mods-static="unixd authz_core authz_host authn_core authn_file auth_basic alias dir mime log_config setenvif autoindex headers rewrite cgi status"
}
