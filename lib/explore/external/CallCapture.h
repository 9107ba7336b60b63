// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call of an external function can see: its arguments, and the memory that they reach, as
// far as its description says or, without one, through all pointers.
#ifndef FATHOM_EXPLORE_EXTERNAL_CALLCAPTURE_H
#define FATHOM_EXPLORE_EXTERNAL_CALLCAPTURE_H

#include "explore/decide/EngineComponent.h"
#include "explore/external/ExternalCall.h"
#include "explore/state/State.h"

namespace fathom::explore {

class Addresses;
struct Engine;
struct ForeignCode;
class Places;
class Sizes;
class UninitUses;
class Witnesses;

/// Again: the state forked, and the call has to be run again. Ended: a bug ended the path.
enum class Capture : uint8_t { Done, Again, Ended, Refused };

class CallCapture : private EngineComponent {
public:
  explicit CallCapture(Engine &engine);

  Capture captureCall(State &s, const program::External &callee, const uint32_t *args,
                      uint32_t numArgs, ExternalCall &call, std::string &why);
  void noteStatefulCall(State &s, const ExternalCall &call, bool deferred,
                        const std::vector<uint8_t> &in);

private:
  void putWord(ExternalCall &call, uint64_t place, ExprPtr word);
  std::vector<std::shared_ptr<const ExternalCall>> earlierCalls(State &s, const ExternalCall &call);

  ForeignCode &foreign_;
  Places &places_;
  Witnesses &witnesses_;
  UninitUses &uninitUses_;
  Addresses &addresses_;
  Sizes &sizes_;
};

} // namespace fathom::explore
#endif
