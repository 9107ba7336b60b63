// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProgressLine.h"

#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace fathom::tool {

using Clock = std::chrono::steady_clock;

ProgressLine::ProgressLine(bool enabled) : enabled_(enabled), last_(Clock::now()) {
  const char *term = getenv("TERM");
  terminal_ = isatty(2) && term && std::string(term) != "dumb";
}

void ProgressLine::show(const std::string &line) {
  auto interval = terminal_ ? std::chrono::milliseconds(250) : std::chrono::milliseconds(10000);
  if (!enabled_ || Clock::now() - last_ < interval) return;
  last_ = Clock::now();
  if (!terminal_) {
    fprintf(stderr, "%s\n", line.c_str());
    return;
  }
  // Cut to the width: a line that wraps could not be rewritten.
  winsize size{};
  size_t width = ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79;
  fprintf(stderr, "\r\033[K%s", line.substr(0, width).c_str());
  fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fprintf(stderr, "\r\033[K");
  fflush(stderr);
  shown_ = false;
}

} // namespace fathom::tool
