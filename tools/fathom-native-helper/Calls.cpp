// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Calls.h"

#include "CallerMemory.h"

#include "../../runtime/native/external.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fathom::helper {

namespace {

/// As the engine's calls have (native/ExternalRunner.h).
constexpr uint64_t kRoom = uint64_t(256) << 20;
constexpr int kListener = FATHOM_EXTERNAL_SOCKET;

/// Programs that run at the same time: those that a test has forked.
constexpr size_t kMaxSessions = 64;

/// Shared with the child that answers.
volatile bool *answered;

/// A program, and the child that executes its calls.
struct Session {
  pid_t program = 0, child = 0;
  int programEnd = -1, childEnd = -1; ///< readable once that process has ended
  int control = -1; ///< connections go there; a byte comes back when a call was answered
};
Session sessions[kMaxSessions];
size_t sessionCount;

void closeAll(const Session &s) {
  for (int fd : {s.programEnd, s.childEnd, s.control})
    if (fd >= 0) close(fd);
}

// ---- in the child

/// -1: there are no more.
int nextConnection(int control) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  ssize_t n = 0;
  while ((n = recvmsg(control, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
  const cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (n <= 0 || !header || header->cmsg_type != SCM_RIGHTS) return -1;
  int connection = -1;
  memcpy(&connection, CMSG_DATA(header), sizeof connection);
  return connection;
}

void answer(pid_t caller, void *(*find)(const char *name)) {
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
    reply.status = FATHOM_EXTERNAL_DONE;
    if (!writeBack()) {
      reply.status = FATHOM_EXTERNAL_UNREACHABLE;
      reply.detail = EFAULT;
    }
  }
  detach();
  *answered = true;
  fathom_external_reply(&reply);
}

[[noreturn]] void serveProgram(pid_t caller, pid_t parent, int control,
                               void *(*find)(const char *name)) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  for (;;) {
    const int connection = nextConnection(control);
    if (connection < 0) _exit(0);
    // Stays in use until the next one takes its place: no file of a library gets this number.
    dup2(connection, FATHOM_EXTERNAL_SOCKET);
    close(connection);
    answer(caller, find);
    const char done = 1;
    if (send(control, &done, sizeof done, MSG_NOSIGNAL) != sizeof done) _exit(0);
  }
}

// ---- in the parent

/// Ends its child, if that still runs. \returns what waitpid says of it.
int endSession(size_t which) {
  const Session s = sessions[which];
  sessions[which] = sessions[--sessionCount];
  pollfd end{s.childEnd, POLLIN, 0};
  if (poll(&end, 1, 0) <= 0) kill(s.child, SIGKILL);
  int status = 0;
  while (waitpid(s.child, &status, 0) < 0 && errno == EINTR) continue;
  closeAll(s);
  return status;
}

void endSessionsOfThePast() {
  for (size_t i = sessionCount; i-- > 0;) {
    pollfd ends[] = {{sessions[i].programEnd, POLLIN, 0}, {sessions[i].childEnd, POLLIN, 0}};
    if (poll(ends, 2, 0) > 0) endSession(i);
  }
}

int endOf(pid_t process) { return static_cast<int>(syscall(SYS_pidfd_open, process, 0)); }

/// The program's session, or a new one. False: there is no room.
bool findSession(pid_t program, void *(*find)(const char *name), size_t &which) {
  for (which = 0; which < sessionCount; ++which)
    if (sessions[which].program == program) return true;
  if (sessionCount == kMaxSessions) return false;
  Session s;
  s.program = program;
  s.programEnd = endOf(program);
  int control[2];
  if (s.programEnd < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
    closeAll(s);
    return false;
  }
  s.control = control[0];
  const pid_t self = getpid();
  s.child = fork();
  if (s.child == 0) {
    close(control[0]);
    serveProgram(program, self, control[1], find);
  }
  close(control[1]);
  if (s.child > 0) s.childEnd = endOf(s.child);
  if (s.childEnd < 0) {
    if (s.child > 0) {
      kill(s.child, SIGKILL);
      waitpid(s.child, nullptr, 0);
    }
    closeAll(s);
    return false;
  }
  sessions[sessionCount++] = s;
  return true;
}

bool passConnection(const Session &s, int connection) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &connection, sizeof connection);
  return sendmsg(s.control, &message, MSG_NOSIGNAL) == 1;
}

/// Waits until the call is answered. False: its child has ended, or the caller does not wait any
/// longer.
bool waitForAnswer(const Session &s, int connection) {
  pollfd events[] = {{s.control, POLLIN, 0}, {s.childEnd, POLLIN, 0}, {connection, POLLRDHUP, 0}};
  for (;;) {
    // A program that has its answer closes the connection: then only the other two matter.
    const nfds_t count = *answered ? 2 : 3;
    if (poll(events, count, -1) < 0) continue;
    char done = 0;
    if (events[0].revents & POLLIN) return recv(s.control, &done, 1, MSG_DONTWAIT) == 1;
    if (events[1].revents & POLLIN) return false;
    if (count == 3 && events[2].revents && !*answered) return false;
  }
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
  endSessionsOfThePast();
  *answered = false;
  size_t which = 0;
  if (!findSession(peer.pid, find, which) || !passConnection(sessions[which], connection)) return;
  if (waitForAnswer(sessions[which], connection)) return;
  const int status = endSession(which);
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
