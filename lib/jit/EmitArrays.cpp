// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TermEmitter: reads, of what lies in the row, of tables and through stores.
#include "jit/TermEmitter.h"

namespace fathom::jit {

using expr::Kind;
using llvm::Value;

Value *TermEmitter::readBottom(ExprPtr array, ExprPtr index) {
  const expr::ArrayInfo &info = array->array();
  if (array->kind() == Kind::Apply) { // its results are in the row already
    const expr::RowLayout::Application *application = layout_.application(array);
    if (!application) return nullptr;
    if (index->isConst())
      return index->value() < info.sizeBytes
                 ? loadByte(byteAddress(row_, constant(application->offset + index->value())))
                 : constant(0);
    Value *inside = b.CreateICmpULT(value(index), constant(info.sizeBytes));
    Value *offset = b.CreateSelect(inside, b.CreateAdd(value(index), constant(application->offset)),
                                   constant(0));
    return b.CreateSelect(inside, loadByte(byteAddress(row_, offset)), constant(0));
  }
  if (array->kind() == Kind::SymbolArray) {
    if (index->isConst()) {
      const uint32_t offset = layout_.find(array, index->value());
      return offset == expr::RowLayout::kNone ? constant(0)
                                              : loadByte(byteAddress(row_, constant(offset)));
    }
    const expr::RowLayout::Symbol *symbol = layout_.symbol(array);
    if (!symbol || !symbol->isWhole) return nullptr;
    Value *inside = b.CreateICmpULT(value(index), constant(info.sizeBytes));
    Value *offset =
        b.CreateSelect(inside, b.CreateAdd(value(index), constant(symbol->offset)), constant(0));
    return b.CreateSelect(inside, loadByte(byteAddress(row_, offset)), constant(0));
  }
  if (index->isConst())
    return constant(index->value() < info.contents.size() ? info.contents[index->value()] : 0);
  if (info.contents.empty()) return constant(0);
  Value *&table = tables_[array];
  if (!table) {
    auto *bytes =
        llvm::ConstantDataArray::get(module_.getContext(), llvm::ArrayRef<uint8_t>(info.contents));
    table = new llvm::GlobalVariable(module_, bytes->getType(), /*isConstant=*/true,
                                     llvm::GlobalValue::PrivateLinkage, bytes, "table");
  }
  Value *inside = b.CreateICmpULT(value(index), constant(info.contents.size()));
  Value *offset = b.CreateSelect(inside, value(index), constant(0));
  return b.CreateSelect(inside, loadByte(byteAddress(table, offset)), constant(0));
}

Value *TermEmitter::makeRead(ExprPtr e) {
  ExprPtr index = e->op(1), array = e->op(0);
  llvm::SmallVector<ExprPtr, 8> stores;
  for (; array->kind() == Kind::Store; array = array->op(0)) {
    // Nothing below a store to this very place can be seen.
    stores.push_back(array);
    if (array->op(1) == index) break;
  }
  Value *v = constant(0);
  if (array->kind() != Kind::Store) v = readBottom(array, index);
  if (!v) return nullptr;
  for (size_t i = stores.size(); i-- > 0;) {
    ExprPtr at = stores[i]->op(1);
    if (at == index)
      v = value(stores[i]->op(2));
    else if (!(at->isConst() && index->isConst()))
      v = b.CreateSelect(b.CreateICmpEQ(value(index), value(at)), value(stores[i]->op(2)), v);
  }
  return v;
}

} // namespace fathom::jit
