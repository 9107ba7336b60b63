// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/Restrict.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fathom::native {

void dropMachineRights() {
  // Dropped from the bounding set, so that even root does not regain them by exec.
  for (int right : {CAP_SYS_TIME, CAP_SYS_BOOT, CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYSLOG,
                    CAP_NET_ADMIN, CAP_MAC_ADMIN, CAP_MAC_OVERRIDE, CAP_WAKE_ALARM,
                    CAP_AUDIT_CONTROL, CAP_SYS_PACCT, CAP_LINUX_IMMUTABLE})
    prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
}

bool refuseMachineCalls() {
  struct Refused {
    int call, error;
  };
  static constexpr Refused kRefused[] = {
      {SYS_clock_settime, EPERM},  {SYS_settimeofday, EPERM},   {SYS_sethostname, ENOSYS},
      {SYS_setdomainname, ENOSYS}, {SYS_reboot, ENOSYS},        {SYS_mount, ENOSYS},
      {SYS_umount2, ENOSYS},       {SYS_mount_setattr, ENOSYS}, {SYS_move_mount, ENOSYS},
      {SYS_pivot_root, ENOSYS},    {SYS_swapon, ENOSYS},        {SYS_swapoff, ENOSYS},
      {SYS_init_module, ENOSYS},   {SYS_finit_module, ENOSYS},  {SYS_delete_module, ENOSYS},
      {SYS_kexec_load, ENOSYS},    {SYS_acct, ENOSYS},          {SYS_quotactl, ENOSYS},
      {SYS_setns, ENOSYS},         {SYS_unshare, ENOSYS},
  };
  constexpr unsigned kCalls = sizeof kRefused / sizeof kRefused[0];
  constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;
  const auto self = static_cast<uint32_t>(getpid());
  auto load = [](size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(offset)};
  };
  // Goes on with the next instruction if equal, else skips `skip` of them.
  auto unless = [](uint32_t value, uint8_t skip) {
    return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, skip, value};
  };
  auto answer = [](uint32_t what) { return sock_filter{BPF_RET | BPF_K, 0, 0, what}; };
  sock_filter code[16 + 2 * kCalls];
  unsigned n = 0;
  // Calls of other architectures (int 0x80, x32) pass: the filter guards against accidents, not
  // against malice.
  code[n++] = load(offsetof(seccomp_data, arch));
  code[n++] = {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_X86_64};
  code[n++] = answer(kAllow);
  code[n++] = load(offsetof(seccomp_data, nr));
  for (const Refused &r : kRefused) {
    code[n++] = unless(static_cast<uint32_t>(r.call), 1);
    code[n++] = answer(SECCOMP_RET_ERRNO | static_cast<uint32_t>(r.error));
  }
  code[n++] = {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_kill};
  code[n++] = answer(kAllow);
  code[n++] = load(offsetof(seccomp_data, args)); // its low half: a pid_t
  for (uint32_t target : {uint32_t(0), self, ~self + 1}) {
    code[n++] = unless(target, 1);
    code[n++] = answer(kAllow);
  }
  code[n++] = answer(SECCOMP_RET_ERRNO | ESRCH);
  sock_fprog program{static_cast<unsigned short>(n), code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

} // namespace fathom::native
