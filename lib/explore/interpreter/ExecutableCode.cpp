// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreter/ExecutableCode.h"

#include "support/Check.h"

#include <algorithm>

namespace fathom::explore {

using namespace program;

namespace {

/// Copies the code with what the control-flow handlers need at run time put into their unused
/// fields (InterpretControl.cpp).
std::vector<std::vector<Inst>> withRunTimeFields(const Program &program,
                                                 const ExploreOptions &options) {
  std::vector<std::vector<Inst>> functions;
  functions.reserve(program.functions.size());
  for (const FunctionCode &f : program.functions) {
    std::vector<Inst> code = f.code;
    if (f.name == "main" && ExecutableCode::replacesMain(options)) {
      Inst zero{.op = Op::Const, .w = 32},
          call{.op = Op::CallExternal, .c = ExecutableCode::kEntryCall, .d = kNoIndex},
          ret{.op = Op::Ret, .b = 1};
      code = {call, zero, ret};
    }
    uint32_t lastTransfer = 0; // index after the previous control transfer
    for (uint32_t i = 0; i < code.size(); i++) {
      Inst &in = code[i];
      // InterpretControl.cpp has the table of fields. A call has 8 bits for it, so the instructions
      // before a call that exceed 255 are not counted.
      const uint32_t instructionsSinceTransfer = i + 1 - lastTransfer;
      switch (in.op) {
      case Op::Jmp:
        in.a = f.coverBase + in.c;
        in.c -= i;
        in.b = instructionsSinceTransfer;
        break;
      case Op::CondJmp:
        in.imm = (uint64_t(f.coverBase + in.c) << 32) | static_cast<uint32_t>(in.imm);
        in.dst = f.coverBase + in.d;
        in.c -= i;
        in.d -= i;
        in.b = instructionsSinceTransfer;
        break;
      case Op::Switch:
      case Op::IndirectBr: in.b = instructionsSinceTransfer; break;
      case Op::Call:
      case Op::CallIndirect:
      case Op::CallExternal:
        in.w = static_cast<uint8_t>(std::min<uint32_t>(instructionsSinceTransfer, 255));
        break;
      case Op::Ret:
      case Op::RetVoid: in.c = instructionsSinceTransfer; break;
      case Op::Unreachable:
      case Op::Trap:
      case Op::Unsupported: break;
      default: continue;
      }
      lastTransfer = i + 1;
    }
    functions.push_back(std::move(code));
  }
  return functions;
}

} // namespace

ExecutableCode::ExecutableCode(std::shared_ptr<const Functions> functions)
    : functions_(std::move(functions)) {
  code_.reserve(functions_->size());
  for (const std::vector<Inst> &f : *functions_) code_.push_back(f.data());
}

ExecutableCode::ExecutableCode(const Program &program, const ExploreOptions &options)
    : ExecutableCode(std::make_shared<const Functions>(withRunTimeFields(program, options))) {}

void ExecutableCode::addPoint(uint32_t function, uint32_t inst, uint32_t asker) {
  auto [own, isNew] = ownCode_.try_emplace(function);
  if (isNew) own->second = (*functions_)[function];
  FATHOM_CHECK(inst < own->second.size(), "a point behind the end of its function");
  code_[function] = own->second.data();
  points.add(own->second[inst], asker);
}

} // namespace fathom::explore
