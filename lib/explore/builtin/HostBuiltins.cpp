// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real files, read only, below the sandbox root; and what the engine tells the environment model
// about the outside world.
#include "explore/builtin/HostBuiltins.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/external/ForeignCode.h"

#include "fathom/abi.h"
#include "fmt/format.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::explore {

using evidence::LedgerCategory;

/// Of an answer of the host: the result of the call, and what it says.
static uint64_t hashOf(int64_t result, const void *data, size_t size) {
  return (static_cast<uint64_t>(result) + 1) * 0x9E3779B97F4A7C15ull ^
         llvm::xxh3_64bits(llvm::ArrayRef(static_cast<const uint8_t *>(data), size));
}

/// The results are not in the world that they are results of: they grow meanwhile, and a test that
/// is replayed has none beside it.
bool HostBuiltins::isHidden(const std::string &real) const {
  const std::string &folder = options_.resultsFolder;
  return !folder.empty() && (real == folder || real.starts_with(folder + "/"));
}

std::string HostBuiltins::hostPath(const std::string &path, bool follow) {
  const std::string real = visibleOrHidden(path, follow);
  return isHidden(real) ? std::string() : real;
}

std::string HostBuiltins::visibleOrHidden(const std::string &path, bool follow) {
  if (path.empty() || path[0] != '/') return {};
  const std::string &root = options_.sandboxRoot;
  auto below = [&](const std::string &p) {
    return root == "/" || p == root || p.starts_with(root + "/");
  };
  if (follow) {
    char *real = realpath(path.c_str(), nullptr);
    std::string out = real ? real : "";
    ::free(real);
    if (!out.empty() && !below(out)) return {};
    return out.empty() && below(path) ? path
                                      : out; // does not exist: the caller's system call says so
  }
  // The last component is not followed, its folder is.
  size_t slash = path.find_last_of('/');
  std::string folder = slash ? path.substr(0, slash) : "/";
  char *real = realpath(folder.c_str(), nullptr);
  std::string out = real ? std::string(real) + path.substr(slash) : path;
  ::free(real);
  return below(out) ? out : std::string();
}

BuiltinOutcome HostBuiltins::config(State &s, const Call &c) {
  long value = -1;
  switch (concreteArgument(s, c, 0, "key", 32)) {
  case FATHOM_CONFIG_INTERPRETED: value = 1; break;
  case FATHOM_CONFIG_REPLAY: value = 0; break;
  case FATHOM_CONFIG_UID: value = geteuid(); break;
  case FATHOM_CONFIG_GID: value = getegid(); break;
  case FATHOM_CONFIG_READABLE: value = options_.readableInputs; break;
  case FATHOM_CONFIG_FUZZ_SIZE:
    value = static_cast<long>(options_.fuzzBytes);
    ledger_.add(LedgerCategory::BoundSize, places_.where(s),
                fmt::format("inputs longer than {} bytes were not explored (--fuzz-size)", value));
    break;
  case FATHOM_CONFIG_SIZED_INPUT: value = static_cast<long>(options_.sizedInput); break;
  case FATHOM_CONFIG_HOST_KINDS: value = foreign_.policy.defers(); break;
  case FATHOM_CONFIG_FUZZ_STDIN: value = !options_.stdinFile.empty(); break;
  default: break;
  }
  returns(s, c, static_cast<uint64_t>(value));
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::configString(State &s, const Call &c) {
  uint64_t key = concreteArgument(s, c, 0, "key", 32), to = concreteArgument(s, c, 1, "buffer"),
           size = concreteArgument(s, c, 2, "size");
  const std::string *value = nullptr;
  if (key == FATHOM_CONFIG_HOST_STDIN && !options_.stdinFile.empty()) value = &options_.stdinFile;
  if (key == FATHOM_CONFIG_HOST_CWD && !options_.workingDirectory.empty() &&
      showsWorkingDirectory(options_.arguments))
    value = &options_.workingDirectory;
  if (!value || !size) {
    returns(s, c, static_cast<uint64_t>(-1));
    return Outcome::Next;
  }
  char *absolute = realpath(value->c_str(), nullptr);
  std::string v = std::string(absolute ? absolute : value->c_str()).substr(0, size - 1);
  ::free(absolute);
  if (!bounds(s, to, v.size() + 1, /*write=*/true)) return Outcome::Ended;
  s.memory.writeConcrete(to, reinterpret_cast<const uint8_t *>(v.c_str()), v.size() + 1);
  returns(s, c, v.size());
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::hostStat(State &s, const Call &c) {
  std::string path = text(s, concreteArgument(s, c, 0, "path"));
  bool follow = concreteArgument(s, c, 1, "flag", 32);
  uint64_t to = concreteArgument(s, c, 2, "buffer");
  std::string real = hostPath(path, follow);
  struct stat st{};
  const bool isThere =
      !real.empty() && (follow ? stat(real.c_str(), &st) : lstat(real.c_str(), &st)) == 0;
  // Others write to the same folders meanwhile: a path that is followed sees what it saw.
  auto said = [&](uint64_t value) {
    return follower_.logged(s, Record::Environment, [&] { return value; });
  };
  if (uint64_t error = said(isThere ? 0 : static_cast<uint64_t>(real.empty() ? ENOENT : errno))) {
    returns(s, c, 0 - error);
    return Outcome::Next;
  }
  fathom_host_stat out{};
  out.ino = said(st.st_ino);
  out.size = said(static_cast<unsigned long>(st.st_size));
  out.mode = said(st.st_mode);
  out.nlink = said(st.st_nlink);
  out.mtime_sec = said(static_cast<unsigned long>(st.st_mtim.tv_sec));
  out.uid = said(st.st_uid);
  out.gid = said(st.st_gid);
  if (!bounds(s, to, sizeof out, /*write=*/true)) return Outcome::Ended;
  s.memory.writeConcrete(to, reinterpret_cast<const uint8_t *>(&out), sizeof out);
  returns(s, c, 0);
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::hostRead(State &s, const Call &c) {
  std::string path = text(s, concreteArgument(s, c, 0, "path"));
  uint64_t offset = concreteArgument(s, c, 1, "offset"), to = concreteArgument(s, c, 2, "buffer"),
           size = concreteArgument(s, c, 3, "size");
  size = std::min<uint64_t>(size, 16 << 20);
  if (!bounds(s, to, size, /*write=*/true)) return Outcome::Ended;
  std::string real = hostPath(path, /*follow=*/true);
  int64_t result = -ENOENT;
  std::vector<uint8_t> bytes;
  if (!real.empty()) {
    struct stat st;
    int fd = -1;
    // Only plain files: a device or a pipe could block, or have effects.
    if (stat(real.c_str(), &st) == 0 && !S_ISREG(st.st_mode))
      result = -EACCES;
    else if ((fd = open(real.c_str(), O_RDONLY | O_CLOEXEC)) < 0)
      result = -errno;
    else {
      bytes.resize(size);
      ssize_t n = pread(fd, bytes.data(), size, static_cast<off_t>(offset));
      result = n < 0 ? -errno : n;
      close(fd);
    }
  }
  bytes.resize(static_cast<size_t>(std::max<int64_t>(result, 0)));
  if (!follower_.saysTheSame(s, path, hashOf(result, bytes.data(), bytes.size())))
    return Outcome::Ended;
  if (!bytes.empty()) s.memory.writeConcrete(to, bytes.data(), bytes.size());
  returns(s, c, static_cast<uint64_t>(result));
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::hostDirent(State &s, const Call &c) {
  std::string path = text(s, concreteArgument(s, c, 0, "path"));
  uint64_t index = concreteArgument(s, c, 1, "index"), to = concreteArgument(s, c, 2, "buffer"),
           size = concreteArgument(s, c, 3, "size");
  std::string real = hostPath(path, /*follow=*/true);
  auto [it, isNew] = directories_.try_emplace(real);
  if (isNew && !real.empty())
    if (DIR *d = opendir(real.c_str())) {
      while (dirent *e = readdir(d))
        if (std::string_view n = e->d_name;
            n != "." && n != ".." && !isHidden((real == "/" ? real : real + "/") + e->d_name))
          it->second.emplace_back(n);
      closedir(d);
      std::sort(it->second.begin(), it->second.end());
    }
  const bool isThere = index < it->second.size() && size;
  std::string name = isThere ? it->second[index].substr(0, size - 1) : "";
  if (!follower_.saysTheSame(s, path, hashOf(isThere, name.data(), name.size())))
    return Outcome::Ended;
  if (!isThere) {
    returns(s, c, 0);
    return Outcome::Next;
  }
  if (!bounds(s, to, name.size() + 1, /*write=*/true)) return Outcome::Ended;
  s.memory.writeConcrete(to, reinterpret_cast<const uint8_t *>(name.c_str()), name.size() + 1);
  returns(s, c, name.size());
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::hostReadlink(State &s, const Call &c) {
  std::string path = text(s, concreteArgument(s, c, 0, "path"));
  uint64_t to = concreteArgument(s, c, 1, "buffer"), size = concreteArgument(s, c, 2, "size");
  std::string real = hostPath(path, /*follow=*/false);
  char buffer[4096];
  ssize_t n =
      real.empty() ? -1 : readlink(real.c_str(), buffer, std::min<uint64_t>(size, sizeof buffer));
  const int64_t result = n >= 0 ? n : -static_cast<int64_t>(real.empty() ? ENOENT : errno);
  if (!follower_.saysTheSame(s, path, hashOf(result, buffer, n > 0 ? static_cast<size_t>(n) : 0)))
    return Outcome::Ended;
  if (n < 0) {
    returns(s, c, static_cast<uint64_t>(result));
    return Outcome::Next;
  }
  if (!bounds(s, to, static_cast<uint64_t>(n), /*write=*/true)) return Outcome::Ended;
  if (n)
    s.memory.writeConcrete(to, reinterpret_cast<const uint8_t *>(buffer), static_cast<uint64_t>(n));
  returns(s, c, static_cast<uint64_t>(n));
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::missingFile(State &s, const Call &c) {
  const std::string path = text(s, concreteArgument(s, c, 0, "path"));
  const bool isAmongOwn = concreteArgument(s, c, 1, "flag", 32);
  std::string detail = path;
  char *folder = isAmongOwn ? realpath(options_.workingDirectory.c_str(), nullptr) : nullptr;
  if (folder && access((std::string(folder) + "/" + path).c_str(), F_OK) == 0)
    detail += fmt::format(" (it is in {}, but the program starts in a folder of its own)", folder);
  ::free(folder);
  ledger_.add(LedgerCategory::MissingFile, places_.where(s), detail);
  return Outcome::Next;
}

void HostBuiltins::add(BuiltinNames &to) {
  to["__fathom_config"] = bind(this, &HostBuiltins::config);
  to["__fathom_config_string"] = bind(this, &HostBuiltins::configString);
  to["__fathom_host_stat"] = bind(this, &HostBuiltins::hostStat);
  to["__fathom_host_read"] = bind(this, &HostBuiltins::hostRead);
  to["__fathom_host_dirent"] = bind(this, &HostBuiltins::hostDirent);
  to["__fathom_missing_file"] = bind(this, &HostBuiltins::missingFile);
  to["__fathom_host_readlink"] = bind(this, &HostBuiltins::hostReadlink);
}

} // namespace fathom::explore
