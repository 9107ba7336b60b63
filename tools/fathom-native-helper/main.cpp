// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom-native-helper LIBRARY...: executes foreign functions for native/ExternalRunner.h, one
// after the other, until its socket is closed or a function brings it down. Small on purpose: no
// LLVM, nothing that a library could get in the way of.
#include "native/ExternalProtocol.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>
#include <vector>

using namespace fathom::native::protocol;

/// Calls function with the registers and stack words given (System V x86-64); al says that vector
/// registers are in use, for variadic functions. Leaves rax and xmm0.
extern "C" void fathomInvoke(void *function, const uint64_t integers[6], const uint64_t reals[8],
                             const uint64_t *stack, uint64_t stackWords, uint64_t *rax,
                             uint64_t *xmm0);
__asm__(R"(
.text
.type fathomInvoke,@function
fathomInvoke:
  push %rbp
  mov %rsp, %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  mov %rdi, %rbx
  mov %rsi, %r12
  mov %r9, %r13
  lea 15(,%r8,8), %rax
  and $-16, %rax
  sub %rax, %rsp
  xor %eax, %eax
1:
  cmp %r8, %rax
  jae 2f
  mov (%rcx,%rax,8), %r10
  mov %r10, (%rsp,%rax,8)
  inc %rax
  jmp 1b
2:
  movq 0(%rdx), %xmm0
  movq 8(%rdx), %xmm1
  movq 16(%rdx), %xmm2
  movq 24(%rdx), %xmm3
  movq 32(%rdx), %xmm4
  movq 40(%rdx), %xmm5
  movq 48(%rdx), %xmm6
  movq 56(%rdx), %xmm7
  mov 0(%r12), %rdi
  mov 8(%r12), %rsi
  mov 16(%r12), %rdx
  mov 24(%r12), %rcx
  mov 32(%r12), %r8
  mov 40(%r12), %r9
  mov $8, %eax
  call *%rbx
  mov %rax, (%r13)
  mov 16(%rbp), %r10
  movq %xmm0, (%r10)
  lea -32(%rbp), %rsp
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size fathomInvoke, .-fathomInvoke
)");

static void receive(void *data, size_t size) {
  char *at = static_cast<char *>(data);
  while (size) {
    ssize_t n = read(kSocket, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0); // the other side is gone, or done
    at += n;
    size -= static_cast<size_t>(n);
  }
}

static void send(const void *data, size_t size) {
  const char *at = static_cast<const char *>(data);
  while (size) {
    ssize_t n = write(kSocket, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0);
    at += n;
    size -= static_cast<size_t>(n);
  }
}

namespace {
struct Buffer {
  char *data;
  uint64_t bytes;
};
} // namespace

static void *find(const std::vector<void *> &libraries, const char *name) {
  for (void *library : libraries)
    if (void *function = dlsym(library, name)) return function;
  return dlsym(RTLD_DEFAULT, name);
}

static void serve(const std::vector<void *> &libraries) {
  Request request;
  receive(&request, sizeof request);
  if (request.nameBytes > kMaxName || request.arguments > kMaxArguments) _exit(2);
  std::vector<char> name(request.nameBytes + 1);
  receive(name.data(), request.nameBytes);

  uint64_t integers[6] = {}, reals[8] = {};
  std::vector<uint64_t> stack;
  std::vector<Buffer> buffers;
  size_t integerCount = 0, realCount = 0;
  for (uint32_t i = 0; i < request.arguments; ++i) {
    Argument argument;
    receive(&argument, sizeof argument);
    if (argument.type == Type::Double || argument.type == Type::Float) {
      if (realCount < 8)
        reals[realCount++] = argument.bits;
      else
        stack.push_back(argument.bits);
      continue;
    }
    uint64_t word = argument.bits;
    if (argument.type == Type::Buffer) {
      if (argument.bytes > kMaxBufferBytes) _exit(2);
      Buffer buffer{static_cast<char *>(malloc(argument.bytes + 1)), argument.bytes};
      if (!buffer.data) _exit(2);
      receive(buffer.data, buffer.bytes);
      buffers.push_back(buffer);
      word = reinterpret_cast<uint64_t>(buffer.data);
    }
    if (integerCount < 6)
      integers[integerCount++] = word;
    else
      stack.push_back(word);
  }

  Reply reply{};
  if (void *function = find(libraries, name.data())) {
    uint64_t rax = 0, xmm0 = 0;
    fathomInvoke(function, integers, reals, stack.data(), stack.size(), &rax, &xmm0);
    reply.status = Status::Done;
    if (request.result == Type::Integer) reply.integer = rax;
    if (request.result == Type::Double) memcpy(&reply.real, &xmm0, sizeof xmm0);
    if (request.result == Type::Float) {
      float value;
      memcpy(&value, &xmm0, sizeof value);
      reply.real = value;
    }
  } else {
    reply.status = Status::NotFound;
  }
  send(&reply, sizeof reply);
  for (Buffer &buffer : buffers) {
    if (reply.status == Status::Done) send(buffer.data, buffer.bytes);
    free(buffer.data);
  }
}

int main(int argc, char **argv) {
  std::vector<void *> libraries;
  for (int i = 1; i < argc; ++i) {
    void *library = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
    libraries.push_back(library);
  }
  send(&kHello, sizeof kHello);
  while (true) serve(libraries);
}
