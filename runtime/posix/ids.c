/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who the process is: users, groups, process numbers, names, limits, random bytes. One user and one
 * group: real, effective and saved ids are the same, which is what a program that is not set-id
 * starts with.
 */
#include "syscalls.h"
#include <linux/resource.h>
#include <linux/sysinfo.h>
#include <linux/utsname.h>

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

long __fathom_sys_uname(void *buffer) {
  struct new_utsname *out = buffer;
  if (!out) return -EFAULT;
  fathomZero(out, sizeof *out);
  fathomCopy(out->sysname, "Linux", 5);
  fathomCopy(out->nodename, "fathom", 6);
  fathomCopy(out->release, "6.1.0", 5);
  fathomCopy(out->version, "#1 SMP", 6);
  fathomCopy(out->machine, "x86_64", 6);
  fathomCopy(out->domainname, "(none)", 6);
  return 0;
}

long __fathom_sys_sysinfo(void *buffer) {
  struct sysinfo *out = buffer;
  if (!out) return -EFAULT;
  fathomZero(out, sizeof *out);
  out->uptime = 1000;
  out->totalram = 4ul << 30;
  out->freeram = 2ul << 30;
  out->procs = 1;
  out->mem_unit = 1;
  return 0;
}

/* ---- limits ---- */

static struct rlimit64 limits[RLIM_NLIMITS];
static int limitsReady;

static void initLimits(void) {
  for (int i = 0; i < RLIM_NLIMITS; i++) limits[i].rlim_cur = limits[i].rlim_max = RLIM64_INFINITY;
  limits[RLIMIT_STACK].rlim_cur = 8ul << 20;
  limits[RLIMIT_CORE].rlim_cur = 0;
  limits[RLIMIT_NOFILE].rlim_cur = limits[RLIMIT_NOFILE].rlim_max = FATHOM_NOFILE;
  limitsReady = 1;
}

long __fathom_sys_prlimit64(long process, long resource, const void *set, void *old) {
  if (process != 0 && process != kPid) return -ESRCH;
  resource = __fathom_pinned((int)resource, "resource whose limit is asked for");
  if (resource < 0 || resource >= RLIM_NLIMITS) return -EINVAL;
  if (!limitsReady) initLimits();
  struct rlimit64 previous = limits[resource];
  if (set) {
    const struct rlimit64 *wanted = set;
    if (wanted->rlim_cur > wanted->rlim_max) return -EINVAL;
    if (wanted->rlim_max > previous.rlim_max && __fathom_uid != 0) return -EPERM;
    limits[resource] = *wanted;
    __fathom_ledger("environment", "limits set by the program are remembered, not enforced");
  }
  if (old) *(struct rlimit64 *)old = previous;
  return 0;
}

/* ---- random bytes ---- */

/* The same bytes on every run (xorshift64*): a program that depends on them is seen with one value
 * of each. */
void __fathom_randomBytes(byte *out, usize count) {
  static unsigned long state = 0x9e3779b97f4a7c15ul;
  for (usize i = 0; i < count; i++) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    out[i] = (byte)(state * 0x2545f4914f6cdd1dul >> 56);
  }
}

long __fathom_sys_getrandom(void *buffer, usize count, long flags) {
  if (flags & ~7) return -EINVAL;
  count = __fathom_countFrom(buffer, count, 0x1ffffff, "number of random bytes");
  if (count && !buffer) return -EFAULT;
  __fathom_ledger("environment", "random bytes are the same on every run");
  __fathom_randomBytes(buffer, count);
  return (long)count;
}
