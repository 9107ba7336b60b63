// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/SHA256.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::report {

llvm::Error ioError(const std::string &what, const std::string &path, int error) {
  return llvm::createStringError(std::error_code(error, std::generic_category()),
                                 fmt::format("cannot {} {}: {}", what, path, strerror(error)));
}

static llvm::Error makeDirectories(const std::string &path) {
  for (size_t at = 1; at != std::string::npos;) {
    at = path.find('/', at);
    std::string prefix = path.substr(0, at);
    if (mkdir(prefix.c_str(), 0777) < 0 && errno != EEXIST) return ioError("create", prefix, errno);
    if (at != std::string::npos) ++at;
  }
  return llvm::Error::success();
}

llvm::Expected<Directory> Directory::openOrCreate(const std::string &path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) {
    if (llvm::Error e = makeDirectories(path)) return std::move(e);
    fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  if (fd < 0) return ioError("open", path, errno);
  return Directory(fd, path);
}

llvm::Expected<Directory> Directory::create(const std::string &name) const {
  std::string full = path_ + "/" + name;
  if (mkdirat(fd_, name.c_str(), 0777) < 0) return ioError("create", full, errno);
  if (use_) use_->add(DiskUse::kBlock);
  llvm::Expected<Directory> made = open(name);
  if (made) made->use_ = use_;
  return made;
}

llvm::Expected<Directory> Directory::open(const std::string &name) const {
  std::string full = path_ + "/" + name;
  int fd = openat(fd_, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return ioError("open", full, errno);
  return Directory(fd, std::move(full));
}

llvm::Expected<Directory> Directory::openOrCreateIn(const std::string &name) const {
  return exists(name) ? open(name) : create(name);
}

Directory::Directory(Directory &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)), use_(other.use_) {}
Directory &Directory::operator=(Directory &&other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(use_, other.use_);
  return *this;
}
Directory::~Directory() {
  if (fd_ >= 0) close(fd_);
}

llvm::Error Directory::write(const std::string &name, llvm::StringRef data, bool executable) const {
  int fd =
      openat(fd_, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, executable ? 0777 : 0666);
  if (fd < 0) return ioError("create", path_ + "/" + name, errno);
  if (use_) use_->add(data.size());
  while (!data.empty()) {
    ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      int error = errno;
      close(fd);
      return ioError("write", path_ + "/" + name, error);
    }
    data = data.drop_front(static_cast<size_t>(n));
  }
  if (close(fd) < 0) return ioError("write", path_ + "/" + name, errno);
  return llvm::Error::success();
}

llvm::Error Directory::replace(const std::string &name, llvm::StringRef data) const {
  std::string temporary = "." + name + ".new";
  if (llvm::Error e = write(temporary, data)) {
    unlinkat(fd_, temporary.c_str(), 0);
    return e;
  }
  return rename(temporary, name);
}

llvm::Error Directory::createWhole(const std::string &name,
                                   llvm::function_ref<llvm::Error(const Directory &)> fill) const {
  const std::string temporary = "." + name;
  llvm::Expected<Directory> dir = create(temporary);
  if (!dir) return dir.takeError();
  llvm::Error error = fill(*dir);
  if (!error) error = rename(temporary, name);
  if (error) llvm::consumeError(remove(temporary));
  return error;
}

llvm::Error Directory::rename(const std::string &from, const std::string &to) const {
  if (renameat(fd_, from.c_str(), fd_, to.c_str()) < 0)
    return ioError("create", path_ + "/" + to, errno);
  return llvm::Error::success();
}

bool Directory::exists(const std::string &name) const {
  struct stat st{};
  return fstatat(fd_, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static llvm::Error removeAt(int fd, const std::string &name, const std::string &path) {
  if (unlinkat(fd, name.c_str(), 0) == 0 || errno == ENOENT) return llvm::Error::success();
  if (errno != EISDIR) return ioError("remove", path + "/" + name, errno);
  fchmodat(fd, name.c_str(), 0700, 0); // a replayed test may have taken our rights away
  int sub = openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (sub < 0) return ioError("remove", path + "/" + name, errno);
  DIR *dir = fdopendir(sub);
  llvm::Error error = llvm::Error::success();
  while (dirent *entry = readdir(dir)) {
    std::string child = entry->d_name;
    if (child == "." || child == "..") continue;
    if ((error = removeAt(sub, child, fmt::format("{}/{}", path, name)))) break;
  }
  closedir(dir);
  if (error) return error;
  if (unlinkat(fd, name.c_str(), AT_REMOVEDIR) < 0)
    return ioError("remove", path + "/" + name, errno);
  return llvm::Error::success();
}

llvm::Error Directory::remove(const std::string &name) const { return removeAt(fd_, name, path_); }

std::vector<std::string> Directory::entries() const {
  std::vector<std::string> out;
  int copy = openat(fd_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return out;
  DIR *dir = fdopendir(copy);
  while (dirent *entry = readdir(dir)) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") out.push_back(std::move(name));
  }
  closedir(dir);
  std::sort(out.begin(), out.end());
  return out;
}

llvm::Expected<std::vector<std::string>> Directory::wholeEntries() const {
  std::vector<std::string> whole;
  for (std::string &name : entries()) {
    if (name[0] != '.')
      whole.push_back(std::move(name));
    else if (auto e = remove(name))
      return std::move(e);
  }
  return whole;
}

llvm::Expected<std::string> readFile(const std::string &path, uint64_t maxBytes) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ioError("read", path, errno);
  struct stat st{};
  if (fstat(fd, &st) < 0 || S_ISDIR(st.st_mode)) {
    close(fd);
    return ioError("read", path, EISDIR);
  }
  std::string out;
  if (static_cast<uint64_t>(st.st_size) <= maxBytes)
    out.reserve(static_cast<size_t>(st.st_size) + 1);
  char buffer[65536];
  ssize_t n;
  while ((n = read(fd, buffer, sizeof buffer)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    int error = n < 0 ? errno : EFBIG;
    if (n < 0 || out.size() + static_cast<size_t>(n) > maxBytes) {
      close(fd);
      return ioError("read", path, error);
    }
    out.append(buffer, static_cast<size_t>(n));
  }
  close(fd);
  return out;
}

llvm::Expected<llvm::json::Object> readJsonObject(const std::string &path) {
  llvm::Expected<std::string> text = readFile(path, uint64_t(256) << 20);
  if (!text) return text.takeError();
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(*text);
  if (!value)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}: not JSON: {}", path, llvm::toString(value.takeError())));
  if (llvm::json::Object *object = value->getAsObject()) return std::move(*object);
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 fmt::format("{}: not a JSON object", path));
}

std::string sha256(const std::string &path) {
  llvm::Expected<std::string> data = readFile(path);
  if (!data) {
    llvm::consumeError(data.takeError());
    return "";
  }
  std::array<uint8_t, 32> digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(*data));
  return hex(llvm::toStringRef(digest));
}

std::string utf8(llvm::StringRef bytes) {
  return llvm::json::isUTF8(bytes) ? bytes.str() : llvm::json::fixUTF8(bytes);
}

std::string hex(llvm::StringRef bytes) { return llvm::toHex(bytes, /*LowerCase=*/true); }

bool unhex(llvm::StringRef text, std::string &out) {
  out.clear();
  return text.size() % 2 == 0 && llvm::tryGetFromHex(text, out);
}

std::string hex64(uint64_t value) { return fmt::format("{:016x}", value); }

bool parseHex64(llvm::StringRef text, uint64_t &out) {
  return text.size() == 16 && !text.getAsInteger(16, out);
}

std::string jsonText(const std::function<void(llvm::json::OStream &)> &write) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  write(json);
  stream << '\n';
  return text;
}

std::string utcNow() {
  time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char buffer[32];
  strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return buffer;
}

} // namespace fathom::report
