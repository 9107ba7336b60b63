// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreter/LinkedCode.h"

#include "support/Check.h"

#include <algorithm>

namespace fathom::explore {

using namespace program;

namespace {

/// Copies the code with what the control-flow handlers need at run time put into their unused
/// fields (InterpretControl.cpp).
std::vector<std::vector<Inst>> link(const Program &program, const ExploreOptions &options) {
  std::vector<std::vector<Inst>> functions;
  functions.reserve(program.functions.size());
  for (const FunctionCode &f : program.functions) {
    std::vector<Inst> code = f.code;
    if (f.name == "main" && LinkedCode::replacesMain(options)) {
      Inst zero{.op = Op::Const, .w = 32},
          call{.op = Op::CallExternal, .c = LinkedCode::kEntryCall, .d = kNoIndex},
          ret{.op = Op::Ret, .b = 1};
      code = {call, zero, ret};
    }
    uint32_t lastTransfer = 0; // index after the previous control transfer
    for (uint32_t i = 0; i < code.size(); i++) {
      Inst &in = code[i];
      uint32_t weight = i + 1 - lastTransfer;
      switch (in.op) {
      case Op::Jmp:
        in.a = f.coverBase + in.c;
        in.c -= i;
        in.b = weight;
        break;
      case Op::CondJmp:
        in.imm = (uint64_t(f.coverBase + in.c) << 32) | static_cast<uint32_t>(in.imm);
        in.dst = f.coverBase + in.d;
        in.c -= i;
        in.d -= i;
        in.b = weight;
        break;
      case Op::Switch:
      case Op::IndirectBr: in.b = weight; break;
      case Op::Call:
      case Op::CallIndirect:
      case Op::CallExternal: in.w = static_cast<uint8_t>(std::min<uint32_t>(weight, 255)); break;
      case Op::Ret:
      case Op::RetVoid: in.c = weight; break;
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

LinkedCode::LinkedCode(std::shared_ptr<const Functions> linked) : linked_(std::move(linked)) {
  code_.reserve(linked_->size());
  for (const std::vector<Inst> &f : *linked_) code_.push_back(f.data());
}

LinkedCode::LinkedCode(const Program &program, const ExploreOptions &options)
    : LinkedCode(std::make_shared<const Functions>(link(program, options))) {}

void LinkedCode::addPoint(uint32_t function, uint32_t inst, uint32_t asker) {
  auto [own, isNew] = ownCode_.try_emplace(function);
  if (isNew) own->second = (*linked_)[function];
  FATHOM_CHECK(inst < own->second.size(), "a point behind the end of its function");
  code_[function] = own->second.data();
  points.add(own->second[inst], asker);
}

} // namespace fathom::explore
