// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/Address.h"
#include "program/Code.h"

namespace fathom::program {

static External externalOf(const FunctionCode &f, const std::string &name) {
  External e;
  e.name = name;
  e.address = functionAddress(f.id);
  e.argSlots = f.argSlots;
  e.retSlots = f.retSlots;
  e.argShape = f.argShape;
  e.retShape = f.retShape;
  e.retWidthBits = f.retWidthBits;
  e.varArg = f.varArg;
  e.result = f.foreignResult;
  e.body = f.id;
  e.isPure = f.isPure;
  for (const Param &p : f.params) {
    e.params.push_back(p.foreign);
    e.readOnly.push_back(p.readOnly);
    e.signWidth.push_back(p.signExtended ? p.widthBits : 0);
  }
  return e;
}

size_t makeExternal(Program &program, const std::vector<std::string> &names) {
  std::vector<uint32_t> externals(program.functions.size(), kNoIndex);
  size_t count = 0;
  for (const std::string &name : names) {
    const FunctionCode *f = program.find(name);
    if (!f || externals[f->id] != kNoIndex) continue;
    externals[f->id] = static_cast<uint32_t>(program.externals.size());
    program.externals.push_back(externalOf(*f, name));
    ++count;
  }
  for (FunctionCode &f : program.functions) {
    if (!f.own) continue;
    for (Inst &in : f.code)
      if (in.op == Op::Call && externals[in.c] != kNoIndex) {
        in.op = Op::CallExternal;
        in.c = externals[in.c];
      }
  }
  return count;
}

} // namespace fathom::program
