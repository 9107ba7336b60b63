// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every call of a function of include/fathom needs: it checks that the process may fork, gives
// the main thread a deep stack, and adapts the caller's Session to the run::Session of the drivers.
#ifndef FATHOM_API_SESSIONADAPTER_H
#define FATHOM_API_SESSIONADAPTER_H

#include <fathom/Result.h>
#include <fathom/Session.h>

#include "run/Limits.h"
#include "run/Session.h"

#include <optional>
#include <sys/resource.h>

namespace fathom::api {

/// While it lives, the main thread may have as deep a stack as in the command line: terms can be
/// tall, and the SMT solver walks them recursively. The stack grows only where it is needed.
class DeepStack {
public:
  DeepStack();
  ~DeepStack();
  DeepStack(const DeepStack &) = delete;

private:
  rlimit before_{};
  bool isRaised_ = false;
};

/// Adapts a fathom::Session to a run::Session for the duration of one call of the API. The stack is
/// deep (DeepStack) meanwhile.
class SessionAdapter final : private run::Observer {
public:
  /// REQUIRES: `session` outlives the adapter.
  explicit SessionAdapter(const Session &session)
      : caller_(session), session_{*this, {session.stop ? *session.stop : never_}} {}
  SessionAdapter(const SessionAdapter &) = delete;

  run::Session &session() { return session_; }

  /// For activities that fork: an error if the process has several threads. A child has only one of
  /// them, and waits forever for a lock that another one held.
  static std::optional<Error> checkThreads();

private:
  void warn(const std::string &text) override {
    if (caller_.warning) caller_.warning(text);
  }
  void progress(const std::string &line) override {
    if (caller_.progress) caller_.progress(line);
  }

  const Session &caller_;
  const std::atomic<bool> never_{false};
  DeepStack stack_;
  run::Session session_;
};

run::Limits toRunLimits(const Limits &limits);

} // namespace fathom::api
#endif
