// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vfork and exec: the child borrows our memory until it becomes the program, so that starting one
// costs the same however much memory an exploration uses. Between the two only system calls are
// made, and everything they need is prepared before.
#include "native/Process.h"

#include "native/Restrict.h"
#include "support/WorkClock.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <poll.h>
#include <set>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fathom::native {

namespace {

constexpr size_t kMaxCaptured = size_t(256) * 1024;

/// What the child needs, as pointers into memory that outlives the exec.
struct Prepared {
  const char *program = nullptr, *directory = nullptr;
  std::vector<char *> argv, envp;
  int standard[3] = {-1, -1, -1};
  std::vector<std::pair<int, int>> descriptors;
  Limits limits;
  bool randomize = false, isSubject = false, isTraced = false;
};

/// A file descriptor that closes itself.
class Fd {
public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(const Fd &) = delete;
  Fd &operator=(const Fd &) = delete;
  ~Fd() { reset(-1); }
  void reset(int fd) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

private:
  int fd_;
};

void limit(int what, uint64_t value) {
  if (!value) return;
  rlimit l{value, value};
  setrlimit(static_cast<__rlimit_resource>(what), &l);
}

/// The child between vfork and exec. Returns errno when something failed. Only system calls: the
/// memory is the parent's.
int becomeProgram(const Prepared &p, int parent, const sigset_t &mask) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  for (int i = 0; i < 3; ++i)
    if (dup2(p.standard[i], i) < 0) return errno;
  syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
  for (auto &[ours, theirs] : p.descriptors)
    if (dup2(ours, theirs) < 0) return errno;
  if (p.directory && chdir(p.directory) < 0) return errno;
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (p.limits.cpuSeconds) {
    rlimit cpu{p.limits.cpuSeconds,
               p.limits.cpuSeconds + 1}; // SIGXCPU first, SIGKILL a second later
    setrlimit(RLIMIT_CPU, &cpu);
  }
  limit(RLIMIT_AS, p.limits.memoryBytes);
  limit(RLIMIT_FSIZE, p.limits.fileBytes);
  if (!p.randomize) personality(ADDR_NO_RANDOMIZE);
  // A program would inherit signals that we, or our parent (nohup), ignore.
  for (int s = 1; s < 32; ++s)
    if (s != SIGKILL && s != SIGSTOP) signal(s, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (p.isTraced) ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  dropMachineRights();
  if (p.isSubject) refuseMachineCalls();
  execve(p.program, p.argv.data(), p.envp.data());
  return errno;
}

/// Descriptors of ours that keep clear of the numbers that the child gets: a duplicate of a source
/// that has one of them. dup2 in the child would overwrite such a source before it is copied, or
/// leave it to be closed on exec, which dup2 of a descriptor to itself does. (In a process whose
/// standard input is closed, the next file that is opened gets its number.)
class SourceDescriptors {
public:
  explicit SourceDescriptors(const Prepared &p) : taken_{0, 1, 2} {
    for (auto &[ours, theirs] : p.descriptors) taken_.insert(theirs);
  }
  /// Moves `fd` out of the way if it has to. False: there is no descriptor left (errno).
  bool keepClear(int &fd) {
    for (int from = 3; fd >= 0 && taken_.contains(fd); from = fd + 1)
      copies_.emplace_back(fd = fcntl(fd, F_DUPFD_CLOEXEC, from));
    return fd >= 0;
  }

private:
  std::set<int> taken_;
  std::deque<Fd> copies_;
};

std::vector<char *> pointers(const std::vector<std::string> &strings) {
  std::vector<char *> out;
  for (const std::string &s : strings) out.push_back(const_cast<char *>(s.c_str()));
  return out;
}

llvm::Error startError(const Command &command, int error) {
  return llvm::createStringError(
      std::error_code(error, std::generic_category()),
      fmt::format("cannot start {}: {}", command.program, strerror(error)));
}

llvm::Error openError(const std::string &file) {
  return llvm::createStringError(std::error_code(errno, std::generic_category()),
                                 fmt::format("cannot open {}: {}", file, strerror(errno)));
}

} // namespace

llvm::Expected<Child> Child::start(const Command &command) {
  Prepared p;
  p.program = command.program.c_str();
  p.directory = command.directory.empty() ? nullptr : command.directory.c_str();
  p.argv = pointers(command.arguments);
  p.argv.push_back(nullptr);
  if (command.inheritEnvironment)
    for (char **e = environ; *e; ++e) p.envp.push_back(*e);
  for (char *e : pointers(command.environment)) p.envp.push_back(e);
  p.envp.push_back(nullptr);
  p.descriptors = command.descriptors;
  p.limits = command.limits;
  p.randomize = command.keepRandomization;
  p.isSubject = command.isSubject;
  p.isTraced = command.isTraced;

  // Relative names are ours, not those of the child's directory.
  Fd in, out, err, capture;
  const char *inName = command.stdinFile.empty() ? "/dev/null" : command.stdinFile.c_str();
  in.reset(open(inName, O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) return openError(inName);
  if (command.captureOutput) {
    capture.reset(memfd_create("output", MFD_CLOEXEC));
    if (capture.get() < 0) return openError("a memory file");
    fcntl(capture.get(), F_SETFL, O_APPEND);
    p.standard[1] = p.standard[2] = capture.get();
  } else {
    auto openOut = [](const std::string &name) {
      return open(name.empty() ? "/dev/null" : name.c_str(),
                  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    };
    out.reset(openOut(command.stdoutFile));
    if (out.get() < 0) return openError(command.stdoutFile);
    p.standard[1] = p.standard[2] = out.get();
    if (command.stderrFile != command.stdoutFile) {
      err.reset(openOut(command.stderrFile));
      if (err.get() < 0) return openError(command.stderrFile);
      p.standard[2] = err.get();
    }
  }
  p.standard[0] = in.get();
  SourceDescriptors sources(p);
  bool isClear = true;
  for (int &fd : p.standard) isClear &= sources.keepClear(fd);
  for (auto &[ours, theirs] : p.descriptors) isClear &= sources.keepClear(ours);
  if (!isClear) return startError(command, errno);

  // No handler of ours may run in the child while it has our memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Child child;
  child.started_ = std::chrono::steady_clock::now();
  int parent = getpid();
  volatile int failure = 0; // written by the child, in our memory
  // Limits and namespaces are set between fork and exec, which posix_spawn cannot; fork would copy
  // the page tables of many GB.
  pid_t pid = vfork(); // NOLINT(bugprone-unsafe-functions)
  if (pid == 0) {
    failure = becomeProgram(p, parent, before);
    _exit(127);
  }
  int forkErrno = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return startError(command, forkErrno);
  if (!failure) {
    child.pidFd_ = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    // Without it, waiting for the child would not notice its end.
    if (child.pidFd_ < 0) {
      failure = errno;
      ::kill(-pid, SIGKILL);
    }
  }
  if (failure) {
    int status = 0; // a traced child stops first
    while (waitpid(pid, &status, 0) < 0 ? errno == EINTR : WIFSTOPPED(status)) {
    }
    return startError(command, failure);
  }
  child.pid_ = pid;
  child.captureFd_ = capture.release();
  child.wall_ = command.limits.wall;
  return child;
}

Child::Child(Child &&other) noexcept { *this = std::move(other); }

Child &Child::operator=(Child &&other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pidFd_, other.pidFd_);
  std::swap(captureFd_, other.captureFd_);
  wall_ = other.wall_;
  started_ = other.started_;
  return *this;
}

Child::~Child() {
  if (pid_ > 0) {
    kill();
    reap(Outcome::Kind::Stopped, /*isForced=*/true);
  }
}

void Child::kill() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL); // the moment before setsid
}

bool Child::waitFor(std::chrono::milliseconds time) {
  if (pid_ <= 0) return true;
  auto deadline = std::chrono::steady_clock::now() + time;
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd fd{pidFd_, POLLIN, 0};
    int n = poll(&fd, 1, static_cast<int>(std::max<int64_t>(0, left.count())));
    if (n > 0) return true;
    if (n < 0 && errno == EINTR) continue;
    return false;
  }
}

Outcome Child::wait(const std::atomic<bool> *stop) {
  using namespace std::chrono;
  // Waits in slices if `stop` may ask us to end.
  const milliseconds slice = stop ? milliseconds(100) : milliseconds(3600 * 1000);
  while (true) {
    milliseconds next = slice;
    if (wall_.count()) {
      auto left = duration_cast<milliseconds>(started_ + wall_ - steady_clock::now());
      // Time that the child waited for a processor does not count towards the limit.
      if (left.count() <= 0) left += duration_cast<milliseconds>(WorkClock::delayOfTree(pid_));
      if (left.count() <= 0 && !waitFor(milliseconds(0))) {
        kill();
        return reap(Outcome::Kind::TimedOut, /*isForced=*/true);
      }
      next = std::min(next, std::max(left + milliseconds(1), milliseconds(0)));
    }
    if (waitFor(next)) return reap(Outcome::Kind::Exited, /*isForced=*/false);
    if (stop && *stop) {
      kill();
      return reap(Outcome::Kind::Stopped, /*isForced=*/true);
    }
  }
}

Outcome Child::reap(Outcome::Kind forced, bool isForced) {
  Outcome o;
  // Not reaped yet: the number is still ours, and what the child left behind in its group goes with
  // it.
  siginfo_t info;
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  ::kill(-pid_, SIGKILL);
  int status = 0;
  rusage usage{};
  while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  o.cpuSeconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                 static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  o.peakMemoryBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  if (WIFEXITED(status)) {
    o.kind = Outcome::Kind::Exited;
    o.status = WEXITSTATUS(status);
  } else {
    o.kind = Outcome::Kind::Signalled;
    o.status = WTERMSIG(status);
  }
  // If the program ended by itself just before our SIGKILL, its own status counts.
  if (isForced && o.kind == Outcome::Kind::Signalled && o.status == SIGKILL) o.kind = forced;
  if (o.kind == Outcome::Kind::Signalled && o.status == SIGXCPU) o.kind = Outcome::Kind::TimedOut;
  if (captureFd_ >= 0) {
    struct stat st{};
    fstat(captureFd_, &st);
    o.output.resize(std::min<size_t>(static_cast<size_t>(st.st_size), kMaxCaptured));
    ssize_t n = pread(captureFd_, o.output.data(), o.output.size(), 0);
    o.output.resize(static_cast<size_t>(std::max<ssize_t>(n, 0)));
    close(captureFd_);
  }
  if (pidFd_ >= 0) close(pidFd_);
  pid_ = pidFd_ = captureFd_ = -1;
  return o;
}

Outcome run(const Command &command, const std::atomic<bool> *stop) {
  llvm::Expected<Child> child = Child::start(command);
  if (!child) {
    Outcome o;
    o.error = llvm::toString(child.takeError());
    return o;
  }
  return child->wait(stop);
}

std::string signalName(int signal) {
  const char *name = sigabbrev_np(signal);
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::string describe(const Outcome &o) {
  switch (o.kind) {
  case Outcome::Kind::Exited: return fmt::format("exit status {}", o.status);
  case Outcome::Kind::Signalled: return fmt::format("signal {}", signalName(o.status));
  case Outcome::Kind::TimedOut: return fmt::format("no end after {:.0f} s", o.seconds);
  case Outcome::Kind::Stopped: return "stopped";
  case Outcome::Kind::NotStarted: return o.error;
  }
  return "";
}

std::string findProgram(const std::string &name) {
  const char *path = getenv("PATH");
  std::string dirs = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (size_t at = 0; at <= dirs.size();) {
    size_t end = std::min(dirs.find(':', at), dirs.size());
    std::string candidate = dirs.substr(at, end - at) + "/" + name;
    struct stat st{};
    if (stat(candidate.c_str(), &st) == 0 && S_ISREG(st.st_mode) &&
        access(candidate.c_str(), X_OK) == 0)
      return candidate;
    at = end + 1;
  }
  return "";
}

} // namespace fathom::native
