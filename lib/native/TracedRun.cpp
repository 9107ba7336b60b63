// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/TracedRun.h"

#include "support/WorkClock.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <thread>

namespace fathom::native {

namespace {

constexpr size_t kMaxStack = size_t(1) << 20;

bool isCrash(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
         signal == SIGTRAP || signal == SIGABRT || signal == SIGSYS;
}

/// Reads the mappings: those of code, and how far the one of `stackPointer` goes.
std::vector<CrashState::Code> codeOf(int pid, uint64_t stackPointer, uint64_t &stackEnd) {
  std::vector<CrashState::Code> out;
  std::ifstream maps(fmt::format("/proc/{}/maps", pid));
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0, offset = 0;
    char rights[5] = "";
    int fileAt = 0;
    if (sscanf(line.c_str(), "%lx-%lx %4s %lx %*s %*s %n", &begin, &end, rights, &offset, &fileAt) <
        4)
      continue;
    if (stackPointer >= begin && stackPointer < end) stackEnd = end;
    if (rights[2] == 'x' && fileAt && static_cast<size_t>(fileAt) < line.size() &&
        line[static_cast<size_t>(fileAt)] == '/')
      out.push_back({begin, end, offset, line.substr(static_cast<size_t>(fileAt))});
  }
  return out;
}

std::optional<CrashState> stateOf(int pid, int signal) {
  user_regs_struct r{};
  if (ptrace(PTRACE_GETREGS, pid, nullptr, &r) != 0) return std::nullopt;
  CrashState out;
  out.signal = signal;
  out.registers = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8,
                   r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rip};
  out.stackAt = r.rsp;
  uint64_t end = r.rsp;
  out.code = codeOf(pid, r.rsp, end);
  out.stack.resize(std::min<uint64_t>(end - r.rsp, kMaxStack));
  iovec to{out.stack.data(), out.stack.size()},
      from{reinterpret_cast<void *>(r.rsp), out.stack.size()};
  const ssize_t n = process_vm_readv(pid, &to, 1, &from, 1, 0);
  out.stack.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return out;
}

} // namespace

Outcome runTraced(const Command &command, std::optional<CrashState> &crash,
                  const std::atomic<bool> *stop) {
  using namespace std::chrono;
  Command traced = command;
  traced.isTraced = true;
  llvm::Expected<Child> child = Child::start(traced);
  if (!child) {
    Outcome o;
    o.error = llvm::toString(child.takeError());
    return o;
  }
  const int pid = child->pid();
  const auto started = steady_clock::now();
  bool isProgram = false; // it has stopped at its first instruction
  while (true) {
    siginfo_t info{};
    const int failed = waitid(P_PID, static_cast<id_t>(pid), &info,
                              WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL);
    if (failed && errno == EINTR) continue;
    if (failed || info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
        info.si_code == CLD_DUMPED)
      return child->wait(stop); // which is at once
    if (!info.si_pid) {
      const milliseconds passed = duration_cast<milliseconds>(steady_clock::now() - started);
      const milliseconds wall = command.limits.wall;
      const bool isOver = wall.count() && passed > wall &&
                          passed - duration_cast<milliseconds>(WorkClock::delayOfTree(pid)) > wall;
      if (isOver || (stop && *stop)) {
        child->kill();
        return child->wait(stop);
      }
      std::this_thread::sleep_for(milliseconds(passed < milliseconds(20) ? 1 : 10));
      continue;
    }
    int status = 0;
    if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status)) continue;
    int signal = WSTOPSIG(status);
    if (signal == SIGTRAP && !isProgram) {
      isProgram = true;
      ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC);
      signal = 0;
    } else if (status >> 16) {
      signal = 0; // it has become another program
    } else if (siginfo_t why; ptrace(PTRACE_GETSIGINFO, pid, nullptr, &why) != 0) {
      signal = 0; // it is stopped, and not about to get a signal
    } else if (isCrash(signal)) {
      crash = stateOf(pid, signal);
    }
    ptrace(PTRACE_CONT, pid, nullptr, signal);
  }
}

} // namespace fathom::native
