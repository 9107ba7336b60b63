// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/builtin/HostFiles.h"

#include "explore/Options.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::explore {

namespace {

/// "" if there is nothing of that name.
std::string resolved(const std::string &path) {
  char *real = realpath(path.c_str(), nullptr);
  std::string out = real ? real : "";
  ::free(real);
  return out;
}

std::string resolvedOrSame(const std::string &path) {
  std::string real = resolved(path);
  return real.empty() ? path : real;
}

} // namespace

/// The results are not in the world that they are results of: they grow meanwhile, and a test that
/// is replayed has none beside it.
bool OwnHost::isHidden(const std::string &real) const {
  const std::string &folder = options_.resultsFolder;
  return !folder.empty() && (real == folder || real.starts_with(folder + "/"));
}

std::string OwnHost::hostPath(const std::string &path, bool follow) const {
  const std::string real = visibleOrHidden(path, follow);
  return isHidden(real) ? std::string() : real;
}

std::string OwnHost::visibleOrHidden(const std::string &path, bool follow) const {
  if (path.empty() || path[0] != '/') return {};
  const std::string &root = options_.sandboxRoot;
  auto below = [&](const std::string &p) {
    return root == "/" || p == root || p.starts_with(root + "/");
  };
  if (follow) {
    const std::string out = resolved(path);
    if (!out.empty() && !below(out)) return {};
    return out.empty() && below(path) ? path
                                      : out; // does not exist: the caller's system call says so
  }
  // The last component is not followed, its folder is.
  size_t slash = path.find_last_of('/');
  const std::string folder = resolved(slash ? path.substr(0, slash) : "/");
  std::string out = folder.empty() ? path : folder + path.substr(slash);
  return below(out) ? out : std::string();
}

HostAnswer OwnHost::stat(const std::string &path, bool follow) const {
  const std::string real = hostPath(path, follow);
  struct stat st{};
  if (real.empty()) return {-ENOENT, {}, {}, {}};
  if ((follow ? ::stat(real.c_str(), &st) : lstat(real.c_str(), &st)) != 0)
    return {-errno, {}, {}, {}};
  return {0,
          {},
          {},
          {st.st_ino, static_cast<uint64_t>(st.st_size), st.st_mode, st.st_nlink,
           static_cast<uint64_t>(st.st_mtim.tv_sec), st.st_uid, st.st_gid}};
}

HostAnswer OwnHost::read(const HostQuestion &question) const {
  const std::string real = hostPath(question.path, /*follow=*/true);
  if (real.empty()) return {-ENOENT, {}, {}, {}};
  struct stat st;
  // Only plain files: a device or a pipe could block, or have effects.
  if (::stat(real.c_str(), &st) == 0 && !S_ISREG(st.st_mode)) return {-EACCES, {}, {}, {}};
  const int fd = open(real.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {-errno, {}, {}, {}};
  HostAnswer answer;
  answer.text.resize(question.size);
  const ssize_t n =
      pread(fd, answer.text.data(), question.size, static_cast<off_t>(question.offset));
  answer.result = n < 0 ? -errno : n;
  answer.text.resize(static_cast<size_t>(std::max<ssize_t>(n, 0)));
  close(fd);
  return answer;
}

HostAnswer OwnHost::list(const std::string &path) const {
  const std::string real = hostPath(path, /*follow=*/true);
  HostAnswer answer;
  DIR *d = real.empty() ? nullptr : opendir(real.c_str());
  if (!d) return answer;
  while (dirent *e = readdir(d))
    if (std::string_view n = e->d_name;
        n != "." && n != ".." && !isHidden((real == "/" ? real : real + "/") + e->d_name))
      answer.names.emplace_back(n);
  closedir(d);
  std::sort(answer.names.begin(), answer.names.end());
  return answer;
}

HostAnswer OwnHost::readLink(const HostQuestion &question) const {
  const std::string real = hostPath(question.path, /*follow=*/false);
  if (real.empty()) return {-ENOENT, {}, {}, {}};
  HostAnswer answer;
  answer.text.resize(question.size);
  const ssize_t n = readlink(real.c_str(), answer.text.data(), question.size);
  answer.result = n < 0 ? -errno : n;
  answer.text.resize(static_cast<size_t>(std::max<ssize_t>(n, 0)));
  return answer;
}

HostAnswer OwnHost::besideOwn(const std::string &path) const {
  const std::string folder = resolved(options_.workingDirectory);
  const bool isThere = !folder.empty() && access((folder + "/" + path).c_str(), F_OK) == 0;
  return {isThere, isThere ? folder : "", {}, {}};
}

HostAnswer OwnHost::ask(const HostQuestion &question) {
  switch (question.what) {
  case HostAsks::Stat: return stat(question.path, /*follow=*/true);
  case HostAsks::LinkStat: return stat(question.path, /*follow=*/false);
  case HostAsks::Read: return read(question);
  case HostAsks::List: return list(question.path);
  case HostAsks::ReadLink: return readLink(question);
  case HostAsks::StandardInput: return {0, resolvedOrSame(options_.stdinFile), {}, {}};
  case HostAsks::WorkingDirectory: return {0, resolvedOrSame(options_.workingDirectory), {}, {}};
  case HostAsks::BesideOwn: return besideOwn(question.path);
  case HostAsks::Owner: return {0, {}, {}, {geteuid(), getegid()}};
  }
  return {-ENOSYS, {}, {}, {}};
}

} // namespace fathom::explore
