// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operations on numbers mean as terms.
#ifndef FATHOM_BMC_OPERATIONS_H
#define FATHOM_BMC_OPERATIONS_H

#include "expr/ExprContext.h"
#include "program/Code.h"

#include <functional>

namespace fathom::bmc {

using expr::ExprPtr;

/// The operand in a slot, of this width.
using Operand = std::function<ExprPtr(uint32_t slot, unsigned width)>;

/// The result of an operation on numbers of at most 64 bits that has one. Null: it is another
/// operation, or one that is not worth a term.
ExprPtr termOf(expr::ExprContext &context, const program::Inst &inst, const Operand &operand);

} // namespace fathom::bmc
#endif
