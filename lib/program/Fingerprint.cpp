// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/Fingerprint.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

namespace fathom::program {

uint64_t fingerprint(const Program &program) {
  uint64_t hash = 0;
  auto mix = [&](uint64_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15ull ^ (hash >> 29); };
  auto mixBytes = [&](const void *data, size_t size) {
    mix(llvm::xxh3_64bits(llvm::ArrayRef(static_cast<const uint8_t *>(data), size)));
  };
  for (const FunctionCode &f : program.functions) {
    mix(llvm::xxh3_64bits(f.name));
    mixBytes(f.code.data(), f.code.size() * sizeof(Inst)); // without padding
    mixBytes(f.pool.data(), f.pool.size() * sizeof(f.pool[0]));
    for (const auto &table : f.switches)
      mixBytes(table.values.data(), table.values.size() * sizeof(table.values[0]));
  }
  for (const External &e : program.externals) mix(llvm::xxh3_64bits(e.name));
  for (const Global &g : program.globals) {
    mix(g.address), mix(g.sizeBytes);
    mixBytes(g.init.data(), g.init.size());
  }
  return hash;
}

} // namespace fathom::program
