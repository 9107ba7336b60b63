/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who the process is: users and groups, each real, effective and saved. They start out the same, as
 * in a program that is not set-id. What a file may be used for goes by the effective ones.
 */
#include "syscalls.h"

enum { kMaxGroups = 64 };

unsigned __fathom_uid, __fathom_gid, __fathom_umask; /* effective */
static struct identity {
  unsigned *effective;
  unsigned real, saved;
} user = {&__fathom_uid, 0, 0}, group = {&__fathom_gid, 0, 0};
static unsigned groups[kMaxGroups];
static int groupCount;

void __fathom_idsInit(void) {
  long uid = __fathom_config(FATHOM_CONFIG_UID), gid = __fathom_config(FATHOM_CONFIG_GID);
  long mask = __fathom_config(FATHOM_CONFIG_UMASK);
  __fathom_uid = uid >= 0 ? (unsigned)uid : 0;
  __fathom_gid = gid >= 0 ? (unsigned)gid : 0;
  user.real = user.saved = __fathom_uid;
  group.real = group.saved = groups[0] = __fathom_gid;
  groupCount = 1;
  __fathom_umask = mask >= 0 ? (unsigned)mask & 0777 : 022;
}

long __fathom_sys_umask(long mask) {
  unsigned old = __fathom_umask;
  __fathom_umask = (unsigned)mask & 0777;
  return old;
}

/* -1 stands for "leave as it is"; root may take any other. */
static int mayBecome(const struct identity *id, unsigned wanted, int alsoSaved) {
  return wanted == -1u || __fathom_uid == 0 || wanted == id->real || wanted == *id->effective ||
         (alsoSaved && wanted == id->saved);
}

static void become(struct identity *id, unsigned real, unsigned effective, unsigned saved) {
  if (real != -1u) id->real = real;
  if (effective != -1u) *id->effective = effective;
  if (saved != -1u) id->saved = saved;
}

static long setId(struct identity *id, unsigned wanted) {
  if (wanted == -1u) return -EINVAL;
  if (__fathom_uid == 0)
    become(id, wanted, wanted, wanted);
  else if (wanted == id->real || wanted == id->saved)
    become(id, -1u, wanted, -1u);
  else
    return -EPERM;
  return 0;
}

static long setReId(struct identity *id, unsigned real, unsigned effective) {
  if (!mayBecome(id, real, 0) || !mayBecome(id, effective, 1)) return -EPERM;
  int keepsSaved = real == -1u && (effective == -1u || effective == id->real);
  become(id, real, effective, -1u);
  if (!keepsSaved) id->saved = *id->effective;
  return 0;
}

static long setResId(struct identity *id, unsigned real, unsigned effective, unsigned saved) {
  if (!mayBecome(id, real, 1) || !mayBecome(id, effective, 1) || !mayBecome(id, saved, 1))
    return -EPERM;
  become(id, real, effective, saved);
  return 0;
}

static long getResId(const struct identity *id, unsigned *real, unsigned *effective,
                     unsigned *saved) {
  if (!real || !effective || !saved) return -EFAULT;
  *real = id->real;
  *effective = *id->effective;
  *saved = id->saved;
  return 0;
}

static unsigned pinnedId(long id) { return (unsigned)__fathom_pinned((int)id, "user or group"); }

long __fathom_sys_getuid(void) { return user.real; }
long __fathom_sys_getgid(void) { return group.real; }
long __fathom_sys_setuid(long id) { return setId(&user, pinnedId(id)); }
long __fathom_sys_setgid(long id) { return setId(&group, pinnedId(id)); }
long __fathom_sys_setreuid(long real, long effective) {
  return setReId(&user, pinnedId(real), pinnedId(effective));
}
long __fathom_sys_setregid(long real, long effective) {
  return setReId(&group, pinnedId(real), pinnedId(effective));
}
long __fathom_sys_setresuid(long real, long effective, long saved) {
  return setResId(&user, pinnedId(real), pinnedId(effective), pinnedId(saved));
}
long __fathom_sys_setresgid(long real, long effective, long saved) {
  return setResId(&group, pinnedId(real), pinnedId(effective), pinnedId(saved));
}
long __fathom_sys_getresuid(unsigned *real, unsigned *effective, unsigned *saved) {
  return getResId(&user, real, effective, saved);
}
long __fathom_sys_getresgid(unsigned *real, unsigned *effective, unsigned *saved) {
  return getResId(&group, real, effective, saved);
}

long __fathom_sys_getgroups(long size, unsigned *list) {
  size = __fathom_pinned((int)size, "number of groups");
  if (size < 0) return -EINVAL;
  if (size == 0) return groupCount;
  if (size < groupCount) return -EINVAL;
  if (!list) return -EFAULT;
  for (int i = 0; i < groupCount; i++) list[i] = groups[i];
  return groupCount;
}

/* The kernel keeps them sorted. */
long __fathom_sys_setgroups(long size, const unsigned *list) {
  size = __fathom_pinned((int)size, "number of groups");
  if (__fathom_uid != 0) return -EPERM;
  if (size < 0 || size > 65536) return -EINVAL;
  if (size && !list) return -EFAULT;
  if (size > kMaxGroups) {
    __fathom_ledger("environment", "more groups than the model has room for: ENOMEM");
    return -ENOMEM;
  }
  groupCount = 0;
  for (int i = 0; i < size; i++) {
    unsigned next = pinnedId(list[i]);
    int at = groupCount++;
    for (; at && groups[at - 1] > next; at--) groups[at] = groups[at - 1];
    groups[at] = next;
  }
  return 0;
}
