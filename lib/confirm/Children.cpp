// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Children.h"

#include "native/Process.h"
#include "support/WorkClock.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace fathom::confirm {

namespace {

/// How often limits are checked.
constexpr int kLookMs = 50;
/// Exit status of a child that got no memory.
constexpr int kNoMemory = 73;

struct Running {
  size_t item = 0;
  int pid = -1, fd = -1;
  WallClock::time_point started;
  std::string text;
  ChildEnd::Kind killed = ChildEnd::Kind::Done; ///< why we killed it; Done: we did not
};

/// Private writable memory, which RLIMIT_DATA bounds.
uint64_t dataBytes() {
  uint64_t size = 0, resident = 0, shared = 0, code = 0, library = 0, data = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  const int read =
      fscanf(file, "%lu %lu %lu %lu %lu %lu", &size, &resident, &shared, &code, &library, &data);
  fclose(file);
  return read == 6 ? data * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

[[noreturn]] void runChild(int parent, int fd, const ChildrenOptions &options, size_t item,
                           const std::function<std::string(size_t)> &work) {
  setpgid(0, 0); // killed together with what it starts; a terminal's Ctrl-C goes to the parent
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  const rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  if (options.memoryBytes) {
    const rlim_t most = dataBytes() + options.memoryBytes;
    const rlimit data{most, most};
    setrlimit(RLIMIT_DATA, &data);
  }
  std::set_new_handler([] { _exit(kNoMemory); });
  const std::string text = work(item);
  size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t n = write(fd, text.data() + sent, text.size() - sent);
    if (n < 0 && errno != EINTR) _exit(1);
    if (n > 0) sent += static_cast<size_t>(n);
  }
  _exit(0);
}

class Children {
public:
  Children(const ChildrenOptions &options, const std::function<std::string(size_t)> &work,
           const std::function<void(size_t, const ChildEnd &)> &done)
      : options_(options), work_(work), done_(done) {}

  void run(size_t count) {
    const WallClock::time_point begin = WallClock::now();
    size_t next = 0;
    while (next < count || !running_.empty()) {
      const bool isStopped = options_.stop && *options_.stop;
      const bool isOver = options_.all.count() && WallClock::now() - begin >= options_.all;
      while (next < count && (isStopped || isOver || running_.size() < options_.jobs)) {
        if (isStopped || isOver)
          done_(next, {isStopped ? ChildEnd::Kind::Interrupted : ChildEnd::Kind::AllOver, "", 0});
        else
          start(next);
        ++next;
      }
      if (!running_.empty())
        wait(isStopped ? ChildEnd::Kind::Interrupted
             : isOver  ? ChildEnd::Kind::AllOver
                       : ChildEnd::Kind::Done);
    }
  }

private:
  void start(size_t item) {
    int ends[2];
    const auto fail = [&](const char *what) {
      done_(item, {ChildEnd::Kind::NotStarted, fmt::format("{}: {}", what, strerror(errno)), 0});
    };
    if (pipe2(ends, O_CLOEXEC) < 0) return fail("no pipe to a process");
    fflush(nullptr);
    const int parent = getpid(), pid = fork();
    if (pid < 0) {
      close(ends[0]);
      close(ends[1]);
      return fail("no process");
    }
    if (pid == 0) {
      close(ends[0]);
      runChild(parent, ends[1], options_, item, work_);
    }
    setpgid(pid, pid); // parent and child both do it: whichever runs first
    close(ends[1]);
    running_.push_back({item, pid, ends[0], WallClock::now(), "", ChildEnd::Kind::Done});
  }

  bool isLate(const Running &child) const {
    const WallClock::duration wall = WallClock::now() - child.started;
    return options_.time.count() && wall >= options_.time &&
           wall - WorkClock::delayOfTree(child.pid) >= options_.time;
  }

  /// \param over  why no child may go on; Done: they may
  void wait(ChildEnd::Kind over) {
    std::vector<pollfd> polled;
    for (const Running &child : running_) polled.push_back({child.fd, POLLIN, 0});
    (void)poll(polled.data(), polled.size(), kLookMs);
    for (size_t i = running_.size(); i-- > 0;) {
      Running &child = running_[i];
      if (polled[i].revents && !readMore(child)) {
        end(i);
        continue;
      }
      if (child.killed != ChildEnd::Kind::Done) continue;
      if (over != ChildEnd::Kind::Done)
        kill(child, over);
      else if (isLate(child))
        kill(child, ChildEnd::Kind::TimedOut);
    }
  }

  static void kill(Running &child, ChildEnd::Kind why) {
    child.killed = why;
    ::kill(-child.pid, SIGKILL);
  }

  /// False: the child closed its end.
  static bool readMore(Running &child) {
    char part[65536];
    const ssize_t n = read(child.fd, part, sizeof part);
    if (n > 0) child.text.append(part, static_cast<size_t>(n));
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
  }

  void end(size_t i) {
    Running child = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
    close(child.fd);
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    ::kill(-child.pid, SIGKILL); // what it started and left
    ChildEnd out;
    out.seconds = std::chrono::duration<double>(WallClock::now() - child.started).count();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) { // whatever it was killed for
      out.kind = ChildEnd::Kind::Done;
      out.text = std::move(child.text);
    } else if (child.killed != ChildEnd::Kind::Done) {
      out.kind = child.killed;
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory) {
      out.kind = ChildEnd::Kind::Memory;
    } else {
      out.kind = ChildEnd::Kind::Crashed;
      out.text = WIFSIGNALED(status) ? native::signalName(WTERMSIG(status))
                                     : fmt::format("exit status {}", WEXITSTATUS(status));
    }
    done_(child.item, out);
  }

  const ChildrenOptions &options_;
  const std::function<std::string(size_t)> &work_;
  const std::function<void(size_t, const ChildEnd &)> &done_;
  std::vector<Running> running_;
};

} // namespace

void runInChildren(size_t count, const ChildrenOptions &options,
                   const std::function<std::string(size_t)> &work,
                   const std::function<void(size_t, const ChildEnd &)> &done) {
  Children(options, work, done).run(count);
}

} // namespace fathom::confirm
