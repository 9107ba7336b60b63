// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Output.h"

#include "Command.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace fathom::tool {

/// errno of the first failed write to stdout; 0: none failed.
static int firstError = 0;

static ssize_t writeAll(void *, const char *data, size_t size) {
  for (size_t done = 0; !firstError && done < size;) {
    const ssize_t written = write(STDOUT_FILENO, data + done, size - done);
    if (written > 0)
      done += static_cast<size_t>(written);
    else if (written < 0 && errno != EINTR)
      firstError = errno;
  }
  return static_cast<ssize_t>(size);
}

void keepOutputErrors() {
  cookie_io_functions_t functions{};
  functions.write = writeAll;
  FILE *out = fopencookie(nullptr, "w", functions);
  if (!out) return; // no memory: the usual stream has to do
  setvbuf(out, nullptr, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
  stdout = out;
}

void put(const std::string &text) { fwrite(text.data(), 1, text.size(), stdout); }

bool isOutputLost() { return firstError != 0; }

int statusAfterOutput(int status) {
  fflush(stdout);
  if (!firstError) return status;
  if (firstError == EPIPE) {
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  }
  fprintf(stderr, "fathom: standard output: %s\n", strerror(firstError));
  return kUsage; // as for other files that the user names and that cannot be written
}

} // namespace fathom::tool
