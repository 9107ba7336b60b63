// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: of functions of the program, through pointers, of what has a summary, and intrinsics.
#include "statics/front/FunctionFacts.h"
#include "statics/front/SystemCalls.h"

#include "program/Prepare.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace fathom::statics {

namespace {

class CallStatements {
public:
  CallStatements(FunctionFacts &f, const CallBase &call) : f_(f), facts_(f.facts), call_(call) {}

  void run() {
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call_)) return addIntrinsic(*intrinsic);
    const llvm::Function *callee = dyn_cast<llvm::Function>(target());
    if (call_.isInlineAsm()) {
      CallSite &site = addSite(kNone);
      f_.builder.assume(Assumption::InlineAssembly, facts_.statements[site.statement].place, f_.id,
                        "");
      return;
    }
    if (!callee) {
      const ValueId pointer = f_.valueOf(*call_.getCalledOperand());
      CallSite &site = addSite(kNone);
      site.target = pointer;
      describeResult(site);
      return;
    }
    if (program::isUninitMarker(*callee)) {
      f_.add(StatementKind::Copy, call_, f_.resultOf(call_), {kUndefinedValue});
      return;
    }
    addDirect(*callee);
  }

private:
  /// Behind aliases.
  const llvm::Value *target() const {
    return call_.getCalledOperand()->stripPointerCastsAndAliases();
  }

  SmallVector<ValueId, 8> arguments() {
    SmallVector<ValueId, 8> values;
    for (const Use &argument : call_.args()) values.push_back(f_.valueOf(*argument));
    return values;
  }

  CallSite &addSite(FunctionId callee) {
    const SmallVector<ValueId, 8> operands = arguments();
    const auto statement = [&] { return static_cast<StatementId>(facts_.statements.size() - 1); };
    f_.add(StatementKind::Call, call_, f_.resultOf(call_), operands).extra =
        static_cast<uint32_t>(facts_.calls.size());
    facts_.calls.push_back({.statement = statement(), .callee = callee});
    return facts_.calls.back();
  }

  void addDirect(const llvm::Function &callee) {
    const StringRef name = callee.getName();
    if (name == "__fathom_get_tp" || name == "__fathom_set_tp") return addThreadPointer(name);
    if (name == "__fathom_clone" && call_.arg_size() > 5) // of the new thread (abi.h)
      setThreadPointer(*call_.getArgOperand(5));
    const FunctionId id = f_.builder.functionId(callee);
    const statics::Function &function = facts_.functions[id];
    const Summary *summary = function.summary;
    if (auto at = systemCallNumberAt(std::string_view(name.data(), name.size())))
      summary = &systemCallAt(*at);
    CallSite &site = addSite(id);
    site.known = function.known;
    summarise(site, summary);
    if (summary || function.hasBody) return;
    f_.builder.assume(Assumption::ExternalCall, facts_.statements.back().place, f_.id, name);
  }

  const Summary &systemCallAt(unsigned argument) const {
    if (argument != 0) return systemCall(-1);
    auto *number = dyn_cast<ConstantInt>(call_.getArgOperand(0));
    return systemCall(number ? number->getSExtValue() : -1);
  }

  void describeResult(CallSite &site) {
    if (!call_.getType()->isPointerTy()) return;
    if (Type *type = structureBehind(call_, f_.builder.dl))
      site.resultLayout = f_.builder.layouts.of(type);
  }

  void summarise(CallSite &site, const Summary *summary) {
    site.summary = summary;
    describeResult(site);
    if (!summary) return;
    if (summary->copies() && summary->lengthAt > 0) site.copiedBytes = numberAt(summary->lengthAt);
    if (summary->allocates == Allocates::Nothing) return;
    Object object{.kind = ObjectKind::Heap, .function = f_.id, .site = site.statement};
    object.place = facts_.statements[site.statement].place;
    object.layout = site.resultLayout;
    object.bytes = constantBytes(*summary);
    object.name = std::string(summary->name) + "@" +
                  (object.place ? facts_.text(object.place) : facts_.functions[f_.id].name);
    site.allocated = f_.builder.addObject(std::move(object));
  }

  /// 0: not known.
  uint64_t numberAt(int argument) const {
    const auto i = static_cast<unsigned>(argument);
    auto *n = i < call_.arg_size() ? dyn_cast<ConstantInt>(call_.getArgOperand(i)) : nullptr;
    return n && n->getValue().getActiveBits() <= 31 ? n->getZExtValue() : 0;
  }
  uint64_t constantBytes(const Summary &summary) const {
    switch (summary.allocates) {
    case Allocates::Unwritten:
    case Allocates::Zeroed:
      if (summary.bytesAt < 0) return 0;
      return numberAt(summary.bytesAt) * (summary.timesAt < 0 ? 1 : numberAt(summary.timesAt));
    default: return 0;
    }
  }

  void setThreadPointer(const llvm::Value &value) {
    const ValueId at = f_.builder.addressOf(f_.builder.threadPointer(), 0);
    f_.add(StatementKind::Store, call_, kNone, {at, f_.valueOf(value)}).bytes = 8;
  }

  void addThreadPointer(StringRef name) {
    const ValueId at = f_.builder.addressOf(f_.builder.threadPointer(), 0);
    if (name == "__fathom_get_tp") {
      f_.add(StatementKind::Load, call_, f_.resultOf(call_), {at}).bytes = 8;
      return;
    }
    setThreadPointer(*call_.getArgOperand(0));
    const ValueId result = f_.resultOf(call_);
    if (result != kNone) f_.add(StatementKind::Copy, call_, result, {kConstantValue});
  }

  /// An intrinsic that does the same as this function.
  void addLibraryCall(std::string_view name) {
    CallSite &site = addSite(kNone);
    site.known = findLibraryFunction(name);
    summarise(site, &*site.known->summary);
  }

  void addIntrinsic(const IntrinsicInst &inst) {
    switch (inst.getIntrinsicID()) {
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_value:
    case Intrinsic::dbg_label:
    case Intrinsic::dbg_assign:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::assume:
    case Intrinsic::donothing:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::vaend:
    case Intrinsic::stackrestore: return;
    case Intrinsic::memcpy:
    case Intrinsic::memcpy_inline: return addLibraryCall("memcpy");
    case Intrinsic::memmove: return addLibraryCall("memmove");
    case Intrinsic::memset:
    case Intrinsic::memset_inline: return addLibraryCall("memset");
    case Intrinsic::vacopy: return addLibraryCall("__va_copy");
    case Intrinsic::vastart: return addVariadicStart();
    case Intrinsic::threadlocal_address:
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::ssa_copy:
      f_.add(StatementKind::Copy, inst, f_.resultOf(inst), {f_.valueOf(*inst.getArgOperand(0))});
      return;
    case Intrinsic::ptrmask: return f_.addArithmetic(inst, 1);
    default: break;
    }
    SmallVector<ValueId, 8> operands = arguments();
    Statement &s = f_.add(StatementKind::Arithmetic, inst, f_.resultOf(inst), operands);
    s.extra = 0;
  }

  /// All three pointers of a va_list come from the call's arguments, wherever these are.
  void addVariadicStart() {
    const ObjectId variadic = facts_.functions[f_.id].variadic;
    if (variadic == kNone) return;
    const ValueId list = f_.valueOf(*call_.getArgOperand(0));
    const ValueId arguments = f_.builder.addressOf(variadic, 0);
    // The offsets into the registers' part are numbers.
    f_.add(StatementKind::Store, call_, kNone, {list, kConstantValue}).bytes = 8;
    for (const int64_t offset : {8, 16}) {
      facts_.moves.push_back({offset, {}});
      const ValueId at = f_.temporary();
      f_.add(StatementKind::Gep, call_, at, {list}).extra =
          static_cast<uint32_t>(facts_.moves.size() - 1);
      f_.add(StatementKind::Store, call_, kNone, {at, arguments}).bytes = 8;
    }
  }

  FunctionFacts &f_;
  Facts &facts_;
  const CallBase &call_;
};

} // namespace

void addCall(FunctionFacts &facts, const CallBase &call) { CallStatements(facts, call).run(); }

} // namespace fathom::statics
