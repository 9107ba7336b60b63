// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A frame's caller follows from the rules of .eh_frame for its instruction: where the canonical
// frame address (CFA) is, and which registers were saved where, relative to it. Only rules without
// expressions are followed; those of linkage tables (PLT), which have one, are the only others
// that compilers make, and nothing crashes there.
#include "report/CrashCalls.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace fathom::report {

using evidence::StackFrame;

using native::CrashState;
using namespace llvm;

namespace {

constexpr size_t kMaxCalls = 128;

/// A file with code of the process.
struct Module {
  object::OwningBinary<object::ObjectFile> file;
  std::unique_ptr<DWARFContext> dwarf;
  std::vector<ELF::Elf64_Phdr> segments;
  std::vector<const dwarf::FDE *> rules; ///< by address

  /// Where the linker has put what is at this offset of the file.
  std::optional<uint64_t> addressOf(uint64_t offset) const {
    for (const ELF::Elf64_Phdr &s : segments)
      if (s.p_type == ELF::PT_LOAD && offset >= s.p_offset && offset - s.p_offset < s.p_filesz)
        return offset - s.p_offset + s.p_vaddr;
    return std::nullopt;
  }
  const dwarf::FDE *rulesAt(uint64_t address) const {
    auto after = std::upper_bound(
        rules.begin(), rules.end(), address,
        [](uint64_t a, const dwarf::FDE *fde) { return a < fde->getInitialLocation(); });
    if (after == rules.begin()) return nullptr;
    const dwarf::FDE *fde = *std::prev(after);
    return address - fde->getInitialLocation() < fde->getAddressRange() ? fde : nullptr;
  }
};

/// Empty: it is no program or library of 64 bits.
std::vector<ELF::Elf64_Phdr> segmentsOf(StringRef data) {
  ELF::Elf64_Ehdr header;
  if (data.size() < sizeof header) return {};
  memcpy(&header, data.data(), sizeof header);
  const size_t bytes = header.e_phnum * sizeof(ELF::Elf64_Phdr);
  if (header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_phentsize != sizeof(ELF::Elf64_Phdr) || header.e_phoff > data.size() ||
      bytes > data.size() - header.e_phoff)
    return {};
  std::vector<ELF::Elf64_Phdr> out(header.e_phnum);
  memcpy(out.data(), data.data() + header.e_phoff, bytes);
  return out;
}

Module load(const std::string &name) {
  Module out;
  auto file = object::ObjectFile::createObjectFile(name);
  if (!file) {
    consumeError(file.takeError());
    return out;
  }
  out.file = std::move(*file);
  out.segments = segmentsOf(out.file.getBinary()->getData());
  out.dwarf = DWARFContext::create(*out.file.getBinary());
  auto frames = out.dwarf->getEHFrame();
  if (!frames) {
    consumeError(frames.takeError());
    return out;
  }
  for (const dwarf::FrameEntry &entry : (*frames)->entries())
    if (const auto *fde = dyn_cast<dwarf::FDE>(&entry)) out.rules.push_back(fde);
  std::sort(out.rules.begin(), out.rules.end(), [](const dwarf::FDE *a, const dwarf::FDE *b) {
    return a->getInitialLocation() < b->getInitialLocation();
  });
  return out;
}

class Registers {
public:
  explicit Registers(const CrashState &crash) : crash_(crash), values_(crash.registers) {}

  uint64_t instruction() const { return values_[CrashState::kInstruction]; }
  /// What a call has pushed last; false: that is not on the stack.
  bool popReturnAddress() {
    const std::optional<uint64_t> to = memory(values_[CrashState::kStackPointer]);
    if (!to) return false;
    values_[CrashState::kInstruction] = *to;
    values_[CrashState::kStackPointer] += 8;
    return true;
  }
  /// Those of the caller; false: not known, or there is none.
  bool apply(const dwarf::UnwindRow &row) {
    const dwarf::UnwindLocation &at = row.getCFAValue();
    if (at.getLocation() != dwarf::UnwindLocation::RegPlusOffset ||
        at.getRegister() >= values_.size())
      return false;
    const uint64_t cfa = values_[at.getRegister()] + static_cast<uint64_t>(int64_t(at.getOffset()));
    if (cfa <= values_[CrashState::kStackPointer]) return false; // frames grow downwards
    std::array<uint64_t, 17> caller = values_;
    caller[CrashState::kStackPointer] = cfa;
    for (uint32_t r = 0; r < caller.size(); r++) {
      const auto saved = row.getRegisterLocations().getRegisterLocation(r);
      if (!saved || saved->getLocation() == dwarf::UnwindLocation::Same) continue;
      std::optional<uint64_t> value;
      if (saved->getLocation() == dwarf::UnwindLocation::CFAPlusOffset)
        value = memory(cfa + static_cast<uint64_t>(int64_t(saved->getOffset())));
      if (!value && r == CrashState::kInstruction) return false; // also of the outermost
      caller[r] = value.value_or(0);
    }
    values_ = caller;
    return instruction() != 0;
  }

private:
  std::optional<uint64_t> memory(uint64_t address) const {
    const uint64_t at = address - crash_.stackAt;
    if (address < crash_.stackAt || at + 8 > crash_.stack.size()) return std::nullopt;
    return support::endian::read64le(crash_.stack.data() + at);
  }

  const CrashState &crash_;
  std::array<uint64_t, 17> values_;
};

/// Restores the caller's registers by the unwind rules of the instruction at `address`.
bool toCaller(const Module &module, uint64_t address, Registers &registers) {
  const dwarf::FDE *fde = module.rulesAt(address);
  if (!fde) return false;
  Expected<dwarf::UnwindTable> table = dwarf::UnwindTable::create(fde);
  if (!table) {
    consumeError(table.takeError());
    return false;
  }
  const dwarf::UnwindRow *row = nullptr;
  for (const dwarf::UnwindRow &one : *table)
    if (!one.hasAddress() || one.getAddress() <= address) row = &one;
  return row && registers.apply(*row);
}

} // namespace

struct CrashCalls::Impl {
  symbolize::LLVMSymbolizer symbolizer;
  std::map<std::string, Module> modules;

  const Module &moduleOf(const std::string &file) {
    auto [it, isNew] = modules.try_emplace(file);
    if (isNew) it->second = load(file);
    return it->second;
  }
  void append(const std::string &file, uint64_t address, std::vector<StackFrame> &calls) {
    auto found =
        symbolizer.symbolizeInlinedCode(file, {address, object::SectionedAddress::UndefSection});
    if (!found) return consumeError(found.takeError());
    for (uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
      const DILineInfo &info = found->getFrame(i);
      StackFrame call;
      if (info.FunctionName != DILineInfo::BadString) call.function = info.FunctionName;
      if (info.FileName != DILineInfo::BadString) call.file = info.FileName;
      call.line = info.Line;
      call.column = info.Column;
      calls.push_back(std::move(call));
    }
  }
};

CrashCalls::CrashCalls() : impl_(std::make_unique<Impl>()) {}
CrashCalls::CrashCalls(CrashCalls &&) noexcept = default;
CrashCalls::~CrashCalls() = default;

std::vector<StackFrame> CrashCalls::of(const CrashState &crash) {
  std::vector<StackFrame> calls;
  Registers registers(crash);
  for (size_t depth = 0; depth < kMaxCalls; depth++) {
    // A return address is after its call, which may be the last instruction of its function.
    const uint64_t at = registers.instruction() - (depth ? 1 : 0);
    auto code = std::find_if(crash.code.begin(), crash.code.end(),
                             [&](const auto &one) { return at >= one.begin && at < one.end; });
    if (code == crash.code.end()) {
      if (depth || !registers.popReturnAddress()) break; // else it was called, and is no code
      continue;
    }
    const Module &module = impl_->moduleOf(code->file);
    const std::optional<uint64_t> address = module.addressOf(at - code->begin + code->offset);
    if (!address) break;
    impl_->append(code->file, *address, calls);
    if (!toCaller(module, *address, registers)) break;
  }
  return calls;
}

} // namespace fathom::report
