// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/Summaries.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <sys/syscall.h>

namespace fathom::statics {

namespace {

constexpr ArgumentSet arg(int i) { return static_cast<ArgumentSet>(1 << i); }
constexpr ArgumentSet kFirst = arg(0), kSecond = arg(1), kThird = arg(2), kFourth = arg(3);

constexpr Summary reads(std::string_view name, ArgumentSet read) {
  return {.name = name, .read = read};
}
constexpr Summary writes(std::string_view name, ArgumentSet written, ArgumentSet read = 0) {
  return {.name = name, .read = read, .written = written};
}
/// A place in the first argument.
constexpr Summary finds(std::string_view name, ArgumentSet read = kFirst) {
  return {.name = name, .returned = kFirst, .read = read};
}
/// One of its arguments: a translation is as constant as what it translates.
constexpr Summary translates(std::string_view name, ArgumentSet texts) {
  return {.name = name, .returned = texts, .read = texts};
}
constexpr Summary allocates(std::string_view name, Allocates how = Allocates::Unwritten,
                            int8_t bytesAt = -1) {
  return {.name = name, .allocates = how, .bytesAt = bytesAt};
}
constexpr Summary copies(std::string_view name, int8_t lengthAt, int8_t to = 0, int8_t from = 1) {
  return {.name = name,
          .returned = arg(to),
          .read = arg(from),
          .written = arg(to),
          .to = to,
          .from = from,
          .lengthAt = lengthAt};
}
constexpr Summary resizes(std::string_view name) {
  return {.name = name,
          .allocates = Allocates::Copied,
          .read = kFirst,
          .to = -1,
          .from = 0,
          .freed = kFirst};
}
constexpr Summary duplicates(std::string_view name) {
  return {.name = name, .allocates = Allocates::Copied, .read = kFirst, .to = -1, .from = 0};
}
constexpr Summary frees(std::string_view name) { return {.name = name, .freed = kFirst}; }
constexpr Summary nothing(std::string_view name) { return {.name = name}; }
constexpr Summary ends(std::string_view name) { return {.name = name, .endsPath = true}; }

// What the engine's own functions do is in abi.h.
constexpr Summary kUnsorted[] = {
    allocates("malloc", Allocates::Unwritten, 0),
    allocates("calloc", Allocates::Zeroed, 1),
    allocates("valloc"),
    allocates("pvalloc"),
    allocates("memalign"),
    allocates("aligned_alloc"),
    allocates("__libc_malloc"),
    allocates("__libc_calloc", Allocates::Zeroed),
    allocates("__libc_malloc_impl"),
    allocates("__fathom_alloc"),
    allocates("__fathom_map", Allocates::Zeroed),
    {.name = "posix_memalign",
     .allocates = Allocates::Unwritten,
     .written = kFirst,
     .allocatesInto = true},
    resizes("realloc"),
    resizes("reallocarray"),
    resizes("__libc_realloc"),
    duplicates("strdup"),
    duplicates("strndup"),
    duplicates("__strdup"),
    frees("free"),
    frees("cfree"),
    frees("__libc_free"),
    copies("memcpy", 2),
    copies("memmove", 2),
    copies("__memcpy_chk", 2),
    copies("mempcpy", 2),
    copies("memccpy", 0),
    copies("strcpy", 0),
    copies("strncpy", 0),
    copies("stpcpy", 0),
    copies("__stpcpy", 0),
    copies("stpncpy", 0),
    copies("__stpncpy", 0),
    copies("strcat", 0),
    copies("strncat", 0),
    {.name = "strlcpy", .read = kSecond, .written = kFirst, .to = 0, .from = 1},
    {.name = "strlcat", .read = kSecond, .written = kFirst, .to = 0, .from = 1},
    {.name = "bcopy", .read = kFirst, .written = kSecond, .to = 1, .from = 0, .lengthAt = 2},
    {.name = "__fathom_repeat_movs", .read = kSecond, .written = kFirst, .to = 0, .from = 1},
    writes("__fathom_repeat_stos", kFirst),
    {.name = "memset", .returned = kFirst, .written = kFirst},
    writes("bzero", kFirst),
    writes("explicit_bzero", kFirst),
    {.name = "__va_copy", .read = kSecond, .written = kFirst, .to = 0, .from = 1},
    finds("memchr"),
    finds("memrchr"),
    finds("__memrchr"),
    finds("rawmemchr"),
    finds("strchr"),
    finds("strrchr"),
    finds("strchrnul"),
    finds("__strchrnul"),
    finds("index"),
    finds("rindex"),
    finds("strstr", kFirst | kSecond),
    finds("strcasestr", kFirst | kSecond),
    finds("memmem", kFirst | kThird),
    finds("strpbrk", kFirst | kSecond),
    translates("gettext", kFirst),
    translates("dgettext", kSecond),
    translates("dcgettext", kSecond),
    translates("ngettext", kFirst | kSecond),
    translates("dngettext", kSecond | kThird),
    translates("dcngettext", kSecond | kThird),
    reads("strlen", kFirst),
    reads("strnlen", kFirst),
    reads("strcmp", kFirst | kSecond),
    reads("strncmp", kFirst | kSecond),
    reads("strcasecmp", kFirst | kSecond),
    reads("strncasecmp", kFirst | kSecond),
    reads("memcmp", kFirst | kSecond),
    reads("bcmp", kFirst | kSecond),
    reads("strspn", kFirst | kSecond),
    reads("strcspn", kFirst | kSecond),
    reads("atoi", kFirst),
    reads("atol", kFirst),
    reads("atoll", kFirst),
    {.name = "qsort", .read = kFirst, .written = kFirst, .calls = 3, .passed = kFirst},
    {.name = "qsort_r", .read = kFirst, .written = kFirst, .calls = 3, .passed = kFirst | arg(4)},
    {.name = "bsearch",
     .returned = kSecond,
     .read = kSecond,
     .calls = 4,
     .passed = kFirst | kSecond},
    writes("__fathom_make_symbolic", kFirst, kThird),
    nothing("__fathom_assume"),
    reads("__fathom_input", kSecond | kThird),
    writes("__fathom_sized_input", kFirst, kThird),
    nothing("__fathom_set_size"),
    reads("__fathom_output", kSecond),
    ends("__fathom_exit"),
    ends("__fathom_killed"),
    ends("__fathom_assert_fail"),
    ends("__fathom_report_bug"),
    ends("__fathom_unsupported"),
    ends("__fathom_thread_end"),
    ends("__fathom_deadlock"),
    nothing("__fathom_ledger"),
    nothing("__fathom_missing_file"),
    nothing("__fathom_is_symbolic"),
    nothing("__fathom_is_zero"),
    {.name = "__fathom_concretize", .returned = kFirst},
    {.name = "__fathom_fork_values", .returned = kFirst},
    writes("__fathom_host_stat", kThird, kFirst),
    writes("__fathom_host_read", kThird, kFirst),
    writes("__fathom_host_dirent", kThird, kFirst),
    writes("__fathom_host_readlink", kSecond, kFirst),
    nothing("__fathom_config"),
    writes("__fathom_config_string", kSecond),
    nothing("__fathom_object_size"),
    nothing("__fathom_prefer"),
    nothing("__fathom_print"),
    nothing("__fathom_say"),
    nothing("__fathom_thread_switch"),
    {.name = "__fathom_thread_create", .calls = 1, .passed = kThird},
    nothing("__fathom_allocation_fails"),
    nothing("__fathom_unmap"),
    ends("__fathom_unmap_self"),
    {.name = "__fathom_clone", .calls = 0, .passed = arg(3)},
    nothing("setjmp"),
    nothing("_setjmp"),
    nothing("__setjmp"),
    nothing("sigsetjmp"),
    nothing("__sigsetjmp"),
    ends("longjmp"),
    ends("_longjmp"),
    ends("siglongjmp"),
};

constexpr auto sorted() {
  std::array<Summary, std::size(kUnsorted)> table{};
  std::copy(std::begin(kUnsorted), std::end(kUnsorted), table.begin());
  std::sort(table.begin(), table.end(),
            [](const Summary &a, const Summary &b) { return a.name < b.name; });
  return table;
}
constexpr auto kSummaries = sorted();

} // namespace

namespace {

constexpr ArgumentSet kPointers = 0x7e;
constexpr Summary kReads = reads("system call", kPointers);
constexpr Summary kWrites = writes("system call", kPointers, kPointers);
constexpr Summary kMaps = allocates("mmap", Allocates::Zeroed);
constexpr Summary kSetsAction{
    .name = "sigaction", .read = kThird, .written = kFourth, .calls = 2, .callsContents = true};

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

const Summary *findSummary(std::string_view name) {
  const auto *at =
      std::lower_bound(kSummaries.begin(), kSummaries.end(), name,
                       [](const Summary &s, std::string_view wanted) { return s.name < wanted; });
  return at != kSummaries.end() && at->name == name ? at : nullptr;
}

} // namespace fathom::statics
