// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/CodeMemory.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace fathom::jit {

static uint8_t *mapFile(int file, size_t bytes, int protection) {
  void *at = mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : static_cast<uint8_t *>(at);
}

CodeMemory::~CodeMemory() {
  if (writable_) munmap(writable_, size_);
  if (executable_) munmap(executable_, size_);
  if (file_ >= 0) close(file_);
}

bool CodeMemory::reset(size_t bytes) {
  used_ = 0;
  sections_.clear();
  if (writable_ && executable_) return true;
  size_ = bytes;
  if (file_ < 0) file_ = memfd_create("fathom-code", MFD_CLOEXEC);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes)) < 0) return false;
  if (!writable_) writable_ = mapFile(file_, bytes, PROT_READ | PROT_WRITE);
  if (!executable_) executable_ = mapFile(file_, bytes, PROT_READ | PROT_EXEC);
  return writable_ && executable_;
}

uint8_t *CodeMemory::allocate(size_t size, size_t alignment) {
  alignment = std::max<size_t>(alignment, 16);
  used_ = (used_ + alignment - 1) / alignment * alignment;
  if (size > size_ - std::min(size_, used_)) return nullptr;
  uint8_t *at = writable_ + used_;
  used_ += size;
  sections_.push_back(at);
  return at;
}
uint8_t *CodeMemory::allocateCodeSection(uintptr_t size, unsigned alignment, unsigned,
                                         llvm::StringRef) {
  return allocate(size, alignment);
}
uint8_t *CodeMemory::allocateDataSection(uintptr_t size, unsigned alignment, unsigned,
                                         llvm::StringRef, bool) {
  return allocate(size, alignment);
}

void CodeMemory::mapSections(llvm::RuntimeDyld &linker) {
  for (uint8_t *section : sections_)
    linker.mapSectionAddress(section,
                             reinterpret_cast<uint64_t>(executable_ + (section - writable_)));
}

} // namespace fathom::jit
