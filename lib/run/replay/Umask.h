// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_REPLAY_UMASK_H
#define FATHOM_RUN_REPLAY_UMASK_H

#include <sys/stat.h>

namespace fathom::run {

/// For as long as it lives, the umask is as the model of the environment has it, for the tests that
/// a replay starts.
class Umask {
public:
  Umask() : before_(umask(022)) {}
  ~Umask() { umask(before_); }
  Umask(const Umask &) = delete;
  Umask &operator=(const Umask &) = delete;

private:
  mode_t before_;
};

} // namespace fathom::run
#endif
