// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the input for a table's block, and reads it from the first entry to the last.
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "table/block.h"
#include "table/format.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  leveldb::BlockContents contents;
  contents.data = leveldb::Slice(reinterpret_cast<const char *>(data), size);
  contents.cachable = false;
  contents.heap_allocated = false;
  leveldb::Block block(contents);
  leveldb::Iterator *at = block.NewIterator(leveldb::BytewiseComparator());
  size_t bytes = 0;
  for (at->SeekToFirst(); at->Valid(); at->Next()) bytes += at->key().size() + at->value().size();
  at->Seek("k");
  delete at;
  return bytes > 1000 ? 1 : 0;
}
