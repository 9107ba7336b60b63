// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mounts: every directory that stays writable is bound onto itself, which makes it a mount; then
// all mounts become read only at once, and these writable again. Landlock: a ruleset that knows
// only rights to change something, all of them granted below the writable directories. Its system
// calls have no functions in libc.
#include "native/Confine.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fathom::native {

namespace {

/// LANDLOCK_ACCESS_FS_TRUNCATE, which the kernel headers of Debian 12 do not have.
constexpr uint64_t kLandlockTruncate = uint64_t(1) << 14;

/// Real paths of the directories that can be made, or kept, writable, those above before those
/// below.
std::vector<std::string> usable(const std::vector<std::string> &directories) {
  std::vector<std::string> out;
  for (const std::string &directory : directories) {
    char *real = realpath(directory.c_str(), nullptr);
    if (!real) continue;
    std::string path = real;
    free(real);
    struct stat st{};
    struct statvfs mounted{};
    if (stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode) &&
        statvfs(path.c_str(), &mounted) == 0 && !(mounted.f_flag & ST_RDONLY))
      out.push_back(std::move(path));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool setReadOnly(const std::string &mountPoint, bool isReadOnly, unsigned flags) {
  mount_attr attributes{};
  (isReadOnly ? attributes.attr_set : attributes.attr_clr) = MOUNT_ATTR_RDONLY;
  return mount_setattr(AT_FDCWD, mountPoint.c_str(), flags, &attributes, sizeof attributes) == 0;
}

bool bind(const std::string &from, const std::string &to) {
  return mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

bool privateMounts() {
  return unshare(CLONE_NEWNS) == 0 &&
         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

/// In a mount namespace of our own; `writable` are mounts.
bool readOnlyMounts(const std::vector<std::string> &writable) {
  if (!setReadOnly("/", /*isReadOnly=*/true, AT_RECURSIVE)) return false;
  for (const std::string &directory : writable)
    setReadOnly(directory, /*isReadOnly=*/false, /*flags=*/0);
  return true;
}

void allowBelow(int ruleset, const std::string &directory, uint64_t rights) {
  int fd = open(directory.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = rights;
  rule.parent_fd = fd;
  syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(fd);
}

/// All rights to change something that this version of Landlock knows.
uint64_t rightsToChange(long version) {
  uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                    LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER; // rename and link between directories
  if (version >= 3) rights |= kLandlockTruncate;
  return rights;
}

} // namespace

const char *name(Confined::By by) {
  switch (by) {
  case Confined::By::Mounts: return "read-only mounts";
  case Confined::By::Landlock: return "Landlock";
  case Confined::By::Nothing: return "nothing";
  }
  return "";
}

bool confineByLandlock(const std::vector<std::string> &writable) {
  long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return false;
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = rightsToChange(version);
  int ruleset = static_cast<int>(
      syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0));
  if (ruleset < 0) return false;
  for (const std::string &directory : usable(writable))
    allowBelow(ruleset, directory, attributes.handled_access_fs);
  uint64_t devices =
      attributes.handled_access_fs & (LANDLOCK_ACCESS_FS_WRITE_FILE | kLandlockTruncate);
  allowBelow(ruleset, "/dev", devices); // /dev/null can be written to; nothing is made there
  bool isDone = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return isDone;
}

Confined confineThread(const Confinement &confinement) {
  Confined confined;
  std::vector<std::string> writable = usable(confinement.writable);
  if (privateMounts()) {
    for (const std::string &directory : writable) bind(directory, directory);
    if (!confinement.shown.empty() && bind(confinement.shown, confinement.shownAs)) {
      confined.isShown = true;
      writable.push_back(confinement.shownAs);
    }
    if (readOnlyMounts(writable)) {
      confined.by = Confined::By::Mounts;
      return confined;
    }
  }
  if (confineByLandlock(writable)) confined.by = Confined::By::Landlock;
  return confined;
}

} // namespace fathom::native
