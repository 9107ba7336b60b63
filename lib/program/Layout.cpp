// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/Layout.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace fathom::program {
namespace {

// Values with more scalars than this do not come from a C compiler; decoding them scalar by scalar
// would explode.
constexpr size_t kMaxScalars = 4096;

std::string typeName(Type *type) {
  std::string text;
  raw_string_ostream(text) << *type;
  return text;
}

} // namespace

const Layout &Layouts::of(Type *type) {
  auto &entry = cache_[type];
  if (entry) return *entry;
  auto layout = std::make_unique<Layout>();
  if (!type->isVoidTy()) add(type, 0, *layout);
  if (!layout->unsupported.empty()) {
    // One slot keeps numbering simple; no instruction that touches the value is executed.
    layout->scalars.clear();
    layout->scalars.push_back({});
    layout->slots = 1;
  }
  // `cache_` may have grown: no recursion through of() happens above, so `entry` is still valid.
  entry = std::move(layout);
  return *entry;
}

void Layouts::add(Type *type, uint64_t bitOffset, Layout &out) {
  if (!out.unsupported.empty()) return;
  if (out.scalars.size() > kMaxScalars) {
    out.unsupported = "value with more than " + std::to_string(kMaxScalars) + " elements";
    return;
  }
  Scalar s;
  s.slot = out.slots;
  s.bitOffset = bitOffset;
  switch (type->getTypeID()) {
  case Type::IntegerTyID:
    if (type->getIntegerBitWidth() > 128) {
      out.unsupported =
          "integer of " + std::to_string(type->getIntegerBitWidth()) + " bits (at most 128)";
      return;
    }
    s.bits = static_cast<uint16_t>(type->getIntegerBitWidth());
    break;
  case Type::PointerTyID:
    if (type->getPointerAddressSpace() != 0) {
      out.unsupported =
          "pointer in address space " + std::to_string(type->getPointerAddressSpace());
      return;
    }
    s.kind = Scalar::Pointer;
    break;
  case Type::HalfTyID: s.kind = Scalar::Float, s.fp = FpType::Half, s.bits = 16; break;
  case Type::FloatTyID: s.kind = Scalar::Float, s.fp = FpType::Float, s.bits = 32; break;
  case Type::DoubleTyID: s.kind = Scalar::Float, s.fp = FpType::Double, s.bits = 64; break;
  case Type::X86_FP80TyID: s.kind = Scalar::Float, s.fp = FpType::X87, s.bits = 80; break;
  case Type::StructTyID: {
    auto *st = cast<StructType>(type);
    if (st->isOpaque()) {
      out.unsupported = "value of opaque type";
      return;
    }
    const StructLayout *sl = dl_.getStructLayout(st);
    for (unsigned i = 0; i < st->getNumElements(); ++i)
      add(st->getElementType(i), bitOffset + 8 * sl->getElementOffset(i).getFixedValue(), out);
    return;
  }
  case Type::ArrayTyID: {
    Type *element = type->getArrayElementType();
    uint64_t n = type->getArrayNumElements();
    uint64_t stride = 8 * dl_.getTypeAllocSize(element).getFixedValue();
    for (uint64_t i = 0; i < n && out.unsupported.empty(); ++i)
      add(element, bitOffset + i * stride, out);
    return;
  }
  case Type::FixedVectorTyID: {
    // Lanes are packed without padding, also those that are no whole number of bytes.
    auto *vt = cast<FixedVectorType>(type);
    uint64_t stride = dl_.getTypeSizeInBits(vt->getElementType()).getFixedValue();
    for (unsigned i = 0; i < vt->getNumElements() && out.unsupported.empty(); ++i)
      add(vt->getElementType(), bitOffset + i * stride, out);
    return;
  }
  default: out.unsupported = "value of type " + typeName(type); return;
  }
  out.slots += s.slots();
  out.scalars.push_back(s);
}

} // namespace fathom::program
