/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The process itself: its end, and what it cannot do here (start others).
 */
#include "syscalls.h"
#include <asm/prctl.h>
#include <linux/prctl.h>

static char processName[16] = "program";

long __fathom_sys_exit_group(long status) { __fathom_exit((int)status & 255); }

long __fathom_sys_refuseProcess(const char *what) {
  __fathom_ledger("process", what);
  return -ENOSYS;
}

long __fathom_sys_arch_prctl(long code, void *address) {
  switch (code) {
  case ARCH_SET_FS: return __fathom_set_tp(address);
  case ARCH_GET_FS:
    if (!address) return -EFAULT;
    *(void **)address = __fathom_get_tp();
    return 0;
  default: return -EINVAL;
  }
}

static long dumpable = 1, noNewPrivileges;

long __fathom_sys_prctl(long option, long argument) {
  switch ((int)option) {
  case PR_SET_NAME: {
    const char *name = (const char *)argument;
    if (!name) return -EFAULT;
    fathomZero(processName, sizeof processName);
    for (usize i = 0; i < sizeof processName - 1 && name[i]; i++) processName[i] = name[i];
    return 0;
  }
  case PR_GET_NAME:
    if (!argument) return -EFAULT;
    fathomCopy((void *)argument, processName, sizeof processName);
    return 0;
  case PR_SET_DUMPABLE:
    if (argument != 0 && argument != 1) return -EINVAL;
    dumpable = argument;
    return 0;
  case PR_GET_DUMPABLE: return dumpable;
  case PR_SET_PDEATHSIG: return (unsigned long)argument > 64 ? -EINVAL : 0;
  case PR_SET_NO_NEW_PRIVS:
    if (argument != 1) return -EINVAL;
    noNewPrivileges = 1;
    return 0;
  case PR_GET_NO_NEW_PRIVS: return noNewPrivileges;
  case PR_SET_VMA: return 0;
  default:
    __fathom_ledger("environment", "prctl option that is not modelled: EINVAL");
    return -EINVAL;
  }
}

/* There never are children. */
long __fathom_sys_wait4(long process, long options) {
  (void)process;
  return options & ~0xe000000bl ? -EINVAL : -ECHILD;
}
