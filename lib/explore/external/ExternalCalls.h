// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions whose code the program does not have, or that are treated as if it had not.
#ifndef FATHOM_EXPLORE_EXTERNAL_EXTERNALCALLS_H
#define FATHOM_EXPLORE_EXTERNAL_EXTERNALCALLS_H

#include "explore/decide/EngineComponent.h"
#include "explore/external/ExternalCall.h"
#include "explore/state/State.h"

namespace fathom::explore {

class FeasibilityChecks;
class BugReports;
class CallCapture;
class Decisions;
struct Engine;
struct ForeignCode;
class LogFollower;
class PathEnds;
class Places;
class Executor;
class Symbols;
class Symcretes;
class Witnesses;

class ExternalCalls : private EngineComponent {
public:
  explicit ExternalCalls(Engine &engine);

  /// What external functions were asked, set in `stats`.
  void addExternalStats(Stats &stats) const;
  bool externalCall(State &s, const program::External &callee, const uint32_t *args,
                    uint32_t numArgs);

private:
  std::vector<uint8_t> externalOutput(State &s, expr::ExternalOperation &operation,
                                      const std::vector<uint8_t> &in);
  /// condition: that it fails in this way; null: it does whatever the input is.
  void noteExternalFault(State &s, const program::External &callee, ExternalStatus status,
                         int detail, ExprPtr condition);
  bool endAfterFault(State &s, const program::External &callee, ExternalStatus status);
  template <typename ByteAt>
  void takeResults(State &s, const program::External &callee, const ExternalCall &call,
                   ByteAt byteAt, const std::vector<uint8_t> *before = nullptr,
                   const std::vector<uint8_t> *after = nullptr);
  bool canBeOther(State &s, std::span<const std::pair<uint64_t, ExprPtr>> bytes,
                  std::span<const uint8_t> in);
  bool pinForeignPointer(State &s, const expr::ExternalOperation &operation, ExprPtr apply);
  template <typename ByteAt> ExprPtr resultTerm(const ExternalCall &call, ByteAt byteAt);

  ForeignCode &foreign_;
  Places &places_;
  LogFollower &follower_;
  Witnesses &witnesses_;
  Symbols &symbols_;
  FeasibilityChecks &feasibility_;
  Symcretes &symcretes_;
  CallCapture &capture_;
  BugReports &bugs_;
  PathEnds &ends_;
  Executor &executor_;
  Decisions &decisions_;
};

} // namespace fathom::explore
#endif
