// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/SystemCalls.h"

#include <algorithm>
#include <iterator>

#include <sys/syscall.h>

namespace fathom::statics {

namespace {

constexpr ArgumentSet kPointers = 0x7e;
constexpr Summary kReads{.name = "system call", .read = kPointers};
constexpr Summary kWrites{.name = "system call", .read = kPointers, .written = kPointers};
constexpr Summary kMaps{.name = "mmap", .allocates = Allocates::Zeroed, .maps = true};
constexpr Summary kSetsAction{
    .name = "sigaction", .read = 4, .written = 8, .calls = 2, .callsContents = true};

/// System calls that write nothing of the program's memory.
constexpr int16_t kReadOnly[] = {
    SYS_write,          SYS_open,      SYS_close,     SYS_lseek,     SYS_pwrite64, SYS_writev,
    SYS_access,         SYS_dup,       SYS_dup2,      SYS_nanosleep, SYS_getpid,   SYS_kill,
    SYS_fcntl,          SYS_fsync,     SYS_truncate,  SYS_ftruncate, SYS_chdir,    SYS_rename,
    SYS_mkdir,          SYS_rmdir,     SYS_creat,     SYS_link,      SYS_unlink,   SYS_symlink,
    SYS_chmod,          SYS_fchmod,    SYS_chown,     SYS_fchown,    SYS_lchown,   SYS_umask,
    SYS_munmap,         SYS_mprotect,  SYS_madvise,   SYS_futex,     SYS_exit,     SYS_exit_group,
    SYS_openat,         SYS_mkdirat,   SYS_unlinkat,  SYS_renameat,  SYS_linkat,   SYS_symlinkat,
    SYS_fchmodat,       SYS_faccessat, SYS_utimensat, SYS_dup3,      SYS_gettid,   SYS_tkill,
    SYS_set_tid_address};

} // namespace

const Summary &systemCall(int64_t number) {
  switch (number) {
  case SYS_mmap:
  case SYS_mremap:
  case SYS_brk: return kMaps;
  case SYS_rt_sigaction: return kSetsAction;
  default: break;
  }
  return std::find(std::begin(kReadOnly), std::end(kReadOnly), number) != std::end(kReadOnly)
             ? kReads
             : kWrites;
}

std::optional<unsigned> systemCallNumberAt(std::string_view function) {
  if (function == "__fathom_syscall") return 0;
  if (function == "__fathom_cancellable_syscall") return 1;
  return std::nullopt;
}

} // namespace fathom::statics
