// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Protocol, child to parent over a pipe: the units that Z3 used (8 bytes), one byte AnswerKind,
// then for Sat one byte per byte of the support (a whole cell: as many as the symbol has), for
// Unknown the reason. End of file ends it.
#include "solver/Z3Child.h"

#include "support/Check.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <z3.h>

namespace fathom::solver {

template <typename F>
static void forEachByte(const expr::ExprContext &context, const Support &support, F f) {
  for (Cell cell : support) {
    ExprPtr symbol = context.symbols()[cell.symbol()];
    if (!cell.isWhole())
      f(symbol, cell.index());
    else
      for (uint64_t i = 0; i < symbol->array().sizeBytes; ++i) f(symbol, i);
  }
}

static void writeAll(int fd, const std::string &data) {
  for (size_t done = 0; done < data.size();) {
    ssize_t n = write(fd, data.data() + done, data.size() - done);
    if (n > 0)
      done += static_cast<size_t>(n);
    else if (errno != EINTR)
      return;
  }
}

[[noreturn]] static void childMain(int fd, pid_t parent, const expr::ExprContext &context,
                                   Z3Limits limits, const Conjunction &query,
                                   const Support &support, bool readsByIndex) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (int s : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM}) signal(s, SIG_DFL);
  // Beyond its memory limit Z3 throws wherever it is, also where nothing may. The parent sees how
  // we ended, and says it; the library's way would be to print it as well.
  std::set_terminate([] { std::abort(); });
  struct rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  limits.useWatchdog = false; // its thread does not exist in this process
  limits.stop = nullptr;      // the parent kills us
  limits.countsUnits = true;
  const uint64_t memoryMb = (Z3_get_estimated_alloc_size() >> 20) + limits.memoryMb;
  Z3_global_param_set("memory_max_size", std::to_string(memoryMb).c_str());
  // A new session: the old one's context may have been forked in the middle of anything.
  Z3Session session(context, limits);
  Conjunction mine = query;
  mine.deadline = Clock::time_point::max();
  Answer answer = session.solve(mine, support, readsByIndex);
  const uint64_t units = session.units();
  std::string message(reinterpret_cast<const char *>(&units), sizeof units);
  message += static_cast<char>(answer.kind);
  if (answer.kind == AnswerKind::Sat)
    forEachByte(context, support, [&](ExprPtr s, uint64_t i) {
      message += static_cast<char>(answer.model.byte(s, i));
    });
  else
    message += static_cast<char>(answer.why) + answer.reason;
  writeAll(fd, message);
  _exit(0); // no destructors: they belong to the parent
}

/// Everything until end of file; false when the deadline passed, without what the child waited for
/// a processor, or the user interrupted first.
static bool readAll(int fd, pid_t child, Clock::time_point deadline, const Z3Limits &limits,
                    std::string &out) {
  constexpr long kLookMs = 50;
  char buffer[4096];
  for (;;) {
    if (limits.mustStop()) return false;
    auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::work()).count();
    if (left <= 0)
      left = std::chrono::ceil<std::chrono::milliseconds>(deadline + Clock::delayOf(child) -
                                                          Clock::work())
                 .count();
    if (left <= 0) return false;
    struct pollfd wait{fd, POLLIN, 0};
    int ready = poll(&wait, 1, static_cast<int>(std::min<long>(left, kLookMs)));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n == 0) return true;
    if (n > 0) out.append(buffer, static_cast<size_t>(n));
    if (n < 0 && errno != EINTR) return true;
  }
}

Answer solveInChild(const expr::ExprContext &context, const Z3Limits &limits,
                    const Conjunction &query, const Support &support, bool readsByIndex) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0)
    return Answer::unknown(std::string("solver: pipe: ") + std::strerror(errno));
  Z3Limits inChild = limits;
  inChild.resources = limits.resourcesUntil(query.deadline);
  pid_t parent = getpid(), child = fork();
  if (child < 0) {
    close(fds[0]);
    close(fds[1]);
    return Answer::unknown(std::string("solver: fork: ") + std::strerror(errno));
  }
  if (child == 0) {
    close(fds[0]);
    childMain(fds[1], parent, context, inChild, query, support, readsByIndex);
  }
  close(fds[1]);
  std::string message;
  bool inTime = readAll(fds[0], child, Clock::backstop(query.deadline), limits, message);
  close(fds[0]);
  if (!inTime) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!inTime && !limits.mustStop()) Clock::reportOverrun(query.deadline);
  if (!inTime)
    return Answer::unknown(limits.mustStop() ? UnknownReason::Interrupted : UnknownReason::Timeout);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kInternalErrorStatus) endAfterInternalError();
  if (message.empty()) {
    int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    // Z3 aborts when it runs out of memory in a place that cannot report it; the kernel's way is
    // SIGKILL.
    return sig == SIGKILL || sig == SIGABRT
               ? Answer::unknown(UnknownReason::MemoryLimit)
               : Answer::unknown("solver: child ended with signal " + std::to_string(sig));
  }
  uint64_t units = 0;
  if (message.size() <= sizeof units)
    return Answer::unknown("solver: the child's answer is cut off");
  std::memcpy(&units, message.data(), sizeof units);
  message.erase(0, sizeof units);
  Clock::spend(StepKind::Z3Unit, units);
  switch (static_cast<AnswerKind>(message[0])) {
  case AnswerKind::Unsat: return Answer::unsat();
  case AnswerKind::Sat: {
    Model model;
    size_t at = 1;
    forEachByte(context, support, [&](ExprPtr s, uint64_t i) {
      if (at < message.size()) model.setByte(s, i, static_cast<uint8_t>(message[at++]));
    });
    return Answer::sat(std::move(model));
  }
  default: {
    Answer answer = Answer::unknown(message.substr(std::min<size_t>(2, message.size())));
    if (message.size() > 1) answer.why = static_cast<UnknownReason>(message[1]);
    if (answer.why == UnknownReason::ResourceLimit && Clock::now() >= query.deadline)
      answer.why = UnknownReason::Timeout;
    return answer;
  }
  }
}

} // namespace fathom::solver
