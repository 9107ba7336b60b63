// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of a function of include/fathom: what has to hold of the process, and the caller's
// Session as drivers take it.
#ifndef FATHOM_API_CALL_H
#define FATHOM_API_CALL_H

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

class Call final : private run::Observer {
public:
  /// `session` outlives it.
  explicit Call(const Session &session)
      : caller_(session), session_{*this, {session.stop ? *session.stop : never_}} {}
  Call(const Call &) = delete;

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

run::Limits limitsOf(const Limits &limits);

} // namespace fathom::api
#endif
