// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Writes.h"

namespace fathom::confirm {

using namespace statics;

void Writes::add(const Writes &other) {
  variables.insert(variables.end(), other.variables.begin(), other.variables.end());
  frames.insert(frames.end(), other.frames.begin(), other.frames.end());
  makeSet(variables);
  makeSet(frames);
  blocks = blocks || other.blocks;
}

WriteSets::WriteSets(const program::Program &program, const PointsTo &pts)
    : program_(program), pts_(pts), isNamed_(pts.objects.size()) {
  const Facts &facts = pts.facts;
  for (const Function &f : facts.functions) {
    if (!f.isOwn || !f.numBlocks) continue;
    for (BlockId b = f.firstBlock; b < f.firstBlock + f.numBlocks; ++b)
      for (StatementId i = 0; i < facts.blocks[b].numStatements; ++i)
        for (const ValueId v :
             facts.operandsOf(facts.statements[facts.blocks[b].firstStatement + i]))
          if (v < facts.values.size() && facts.values[v].address != kNone)
            isNamed_[facts.addresses[facts.values[v].address].object] = true;
  }
}

void WriteSets::add(ObjectId object, Writes &writes) const {
  const Object &o = pts_.objects[object];
  switch (o.kind) {
  case ObjectKind::Global: {
    const auto known = program_.globalIndex.find(o.name);
    if (known == program_.globalIndex.end()) return;
    const program::Global &variable = program_.globals[known->second];
    if (!variable.constant && (variable.own || isNamed_[object]))
      writes.variables.push_back(known->second);
    return;
  }
  case ObjectKind::Stack: {
    const auto known = program_.functionIndex.find(pts_.facts.functions[o.function].name);
    if (known == program_.functionIndex.end())
      writes.blocks = true;
    else
      writes.frames.push_back(known->second);
    return;
  }
  case ObjectKind::Function: return;
  case ObjectKind::Heap:
  case ObjectKind::Variadic:
  case ObjectKind::Environment:
  case ObjectKind::Unknown: writes.blocks = true; return;
  }
}

const Writes &WriteSets::of(SetId locations) {
  const auto [at, isNew] = known_.try_emplace(locations);
  Writes &writes = at->second;
  if (!isNew) return writes;
  ObjectId last = kNone;
  pts_.sets[locations].forEach([&](LocationId location) {
    const ObjectId object = pts_.locations.objectOf(location);
    if (object != last) add(object, writes);
    last = object;
  });
  makeSet(writes.variables);
  makeSet(writes.frames);
  return writes;
}

} // namespace fathom::confirm
