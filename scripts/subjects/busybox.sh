# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
programs=(busybox_unstripped)

build_subject() {
  run make -C "$source" O="$PWD" defconfig HOSTCC=gcc CC="$CC"
  # What needs headers or libraries that the sysroot does not have.
  sed -i -E 's/^CONFIG_(TC|FEATURE_TC_INGRESS|PAM|SELINUX|FEATURE_HAVE_RPC)=y/# CONFIG_\1 is not set/' .config
  yes "" | make oldconfig HOSTCC=gcc CC="$CC" >>"$log" 2>&1 || true
  run make -j"$jobs" HOSTCC=gcc CC="$CC" AR="$AR" SKIP_STRIP=y busybox_unstripped
}
