/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who the process is: users and groups. One of each: real, effective and saved ids are the same,
 * which is what a program that is not set-id starts with.
 */
#include "syscalls.h"

unsigned __fathom_uid, __fathom_gid, __fathom_umask;

void __fathom_idsInit(void) {
  long uid = __fathom_config(FATHOM_CONFIG_UID), gid = __fathom_config(FATHOM_CONFIG_GID);
  long mask = __fathom_config(FATHOM_CONFIG_UMASK);
  __fathom_uid = uid >= 0 ? (unsigned)uid : 0;
  __fathom_gid = gid >= 0 ? (unsigned)gid : 0;
  __fathom_umask = mask >= 0 ? (unsigned)mask & 0777 : 022;
}

long __fathom_sys_umask(long mask) {
  unsigned old = __fathom_umask;
  __fathom_umask = (unsigned)mask & 0777;
  return old;
}

/* -1 stands for "leave as it is". */
static long setId(unsigned *id, long wanted, int isRoot) {
  unsigned value = (unsigned)wanted;
  if (value == -1u || value == *id) return 0;
  if (!isRoot) return -EPERM;
  *id = value;
  return 0;
}

long __fathom_sys_setuid(long uid) {
  return (unsigned)uid == -1u ? -EINVAL : setId(&__fathom_uid, uid, __fathom_uid == 0);
}
long __fathom_sys_setgid(long gid) {
  return (unsigned)gid == -1u ? -EINVAL : setId(&__fathom_gid, gid, __fathom_uid == 0);
}

/* Real and effective apart is more than the model has: the effective one counts. */
long __fathom_sys_setresuid(long real, long effective) {
  if ((unsigned)effective != -1u && (unsigned)real != -1u && real != effective)
    __fathom_ledger("environment",
                    "different real and effective users: only the effective one is modelled");
  return setId(&__fathom_uid, (unsigned)effective != -1u ? effective : real, __fathom_uid == 0);
}
long __fathom_sys_setresgid(long real, long effective) {
  if ((unsigned)effective != -1u && (unsigned)real != -1u && real != effective)
    __fathom_ledger("environment",
                    "different real and effective groups: only the effective one is modelled");
  return setId(&__fathom_gid, (unsigned)effective != -1u ? effective : real, __fathom_uid == 0);
}

long __fathom_sys_getresid(unsigned id, unsigned *real, unsigned *effective, unsigned *saved) {
  if (!real || !effective || !saved) return -EFAULT;
  *real = *effective = *saved = id;
  return 0;
}

long __fathom_sys_getgroups(long size, unsigned *list) {
  if ((int)size < 0) return -EINVAL;
  if (size && !list) return -EFAULT;
  if (size) list[0] = __fathom_gid;
  return 1;
}
