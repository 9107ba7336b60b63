// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/jit: memory that is written at one address and executed at another, so that no
// page is both, and code can be replaced without changing what pages allow. The file behind it can
// be mapped by another process too.
#ifndef FATHOM_JIT_CODEMEMORY_H
#define FATHOM_JIT_CODEMEMORY_H

#include <llvm/ExecutionEngine/RuntimeDyld.h>

#include <span>
#include <vector>

namespace fathom::jit {

class CodeMemory final : public llvm::RuntimeDyld::MemoryManager {
public:
  CodeMemory() = default;
  ~CodeMemory() override;
  CodeMemory(const CodeMemory &) = delete;
  CodeMemory &operator=(const CodeMemory &) = delete;

  /// Discards all code. The first call maps `bytes` bytes; returns false if that fails.
  bool reset(size_t bytes);
  /// Tells the linker where sections will be executed.
  void mapSections(llvm::RuntimeDyld &linker);

  /// Everything allocated so far. Position-independent code also runs at another address.
  std::span<const uint8_t> contents() const { return {writable_, used_}; }
  /// Where in it an address lies that is executed.
  uint64_t place(uint64_t address) const {
    return address - reinterpret_cast<uint64_t>(executable_);
  }

  uint8_t *allocateCodeSection(uintptr_t size, unsigned alignment, unsigned id,
                               llvm::StringRef name) override;
  uint8_t *allocateDataSection(uintptr_t size, unsigned alignment, unsigned id,
                               llvm::StringRef name, bool isReadOnly) override;
  void registerEHFrames(uint8_t *, uint64_t, size_t) override {}
  void deregisterEHFrames() override {}
  bool finalizeMemory(std::string *) override { return false; }

private:
  uint8_t *allocate(size_t size, size_t alignment);
  uint8_t *writable_ = nullptr, *executable_ = nullptr;
  size_t size_ = 0, used_ = 0;
  int file_ = -1;
  std::vector<uint8_t *> sections_;
};

} // namespace fathom::jit
#endif
