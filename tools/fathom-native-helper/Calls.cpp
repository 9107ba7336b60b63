// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Calls.h"

#include "CallerMemory.h"

#include "../../runtime/native/external.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fathom::helper {

namespace {

/// As the engine's calls have (native/ExternalRunner.h).
constexpr uint64_t kRoom = uint64_t(256) << 20;
constexpr int kListener = FATHOM_EXTERNAL_SOCKET;

/// Shared with the child that answers.
volatile bool *answered;

/// In a child of its own.
[[noreturn]] void answer(int connection, pid_t caller, pid_t parent,
                         void *(*find)(const char *name)) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  dup2(connection, FATHOM_EXTERNAL_SOCKET);
  close(connection);
  fathom_reply reply{};
  int error = 0;
  const char *name = fathom_external_receive();
  void *function = name ? find(name) : nullptr;
  if (!function) {
    reply.status = name ? FATHOM_EXTERNAL_NOT_FOUND : FATHOM_EXTERNAL_BAD_REQUEST;
  } else if (!attach(caller, kRoom, error)) {
    reply.status = FATHOM_EXTERNAL_UNREACHABLE;
    reply.detail = static_cast<unsigned>(error);
  } else {
    unsigned long word = 0;
    for (unsigned i = 0; fathom_external_word(i, &word); ++i) prefetch(word);
    fathom_external_invoke(function, &reply);
    reply.status = writeBack() ? FATHOM_EXTERNAL_DONE : FATHOM_EXTERNAL_UNREACHABLE;
    reply.detail = reply.status == FATHOM_EXTERNAL_DONE ? 0 : EFAULT;
  }
  *answered = true;
  fathom_external_reply(&reply);
  _exit(0);
}

/// Until the call is over, or nobody waits for it any longer: then its process is ended.
int waitForEnd(pid_t child, int connection) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd events[] = {{process, POLLIN, 0}, {connection, POLLRDHUP, 0}};
  while (process >= 0 && poll(events, 2, -1) < 0 && errno == EINTR) continue;
  if (!(events[0].revents & POLLIN)) kill(child, SIGKILL);
  if (process >= 0) close(process);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

void tellEnd(int connection, int status) {
  fathom_reply reply{};
  reply.status = WIFEXITED(status) ? FATHOM_EXTERNAL_EXITED : FATHOM_EXTERNAL_CRASHED;
  reply.detail = static_cast<unsigned>(WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  send(connection, &reply, sizeof reply, MSG_NOSIGNAL);
}

void serveOne(int connection, void *(*find)(const char *name)) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid())
    return;
  const unsigned hello = FATHOM_EXTERNAL_HELLO;
  if (send(connection, &hello, sizeof hello, MSG_NOSIGNAL) != sizeof hello) return;
  *answered = false;
  const pid_t self = getpid(), child = fork();
  if (child == 0) answer(connection, peer.pid, self, find);
  if (child < 0) return;
  const int status = waitForEnd(child, connection);
  if (!*answered) tellEnd(connection, status);
}

} // namespace

bool moveOutOfTheWay(char **arguments) {
  constexpr uint64_t kTop = 0x7ffffffff000, kPrograms = uint64_t(4) << 30;
  const int here = 0;
  if (reinterpret_cast<uint64_t>(&here) < kTop - kPrograms) return true;
  // The stack of a new try is elsewhere, within 16 GB: three of four are out of the way.
  const int current = personality(0xffffffff);
  if (current >= 0 && (current & ADDR_NO_RANDOMIZE))
    personality(static_cast<unsigned long>(current) &
                ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE));
  int randomisation = 2;
  if (FILE *file = fopen("/proc/sys/kernel/randomize_va_space", "re")) {
    if (fscanf(file, "%d", &randomisation) != 1) randomisation = 0;
    fclose(file);
  }
  if (randomisation) execv("/proc/self/exe", arguments);
  return false;
}

void serveCalls(void *(*find)(const char *name)) {
  void *shared = mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                      /*offset=*/0);
  if (shared == MAP_FAILED) _exit(2);
  answered = static_cast<bool *>(shared);
  for (;;) {
    const int connection = accept4(kListener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (connection < 0) _exit(2);
    serveOne(connection, find);
    close(connection);
  }
}

} // namespace fathom::helper
