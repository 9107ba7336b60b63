// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FunctionVerifier checks one function, instruction by instruction; verifyTables checks what all
// functions share: numbers, coverage ranges, branches, globals.
#include "program/Verify.h"

#include "program/Address.h"
#include "program/Operands.h"
#include "program/SlotFlow.h"

#include <algorithm>

namespace fathom::program {
namespace {

class FunctionVerifier {
public:
  FunctionVerifier(const Program &program, const FunctionCode &f, std::vector<std::string> &out)
      : program_(program), f_(f), out_(out) {}

  void run() {
    shape();
    for (at_ = 0; at_ < f_.code.size(); ++at_) instruction(f_.code[at_]);
    localSlots();
    arguments();
  }

private:
  void report(const std::string &what) {
    std::string where = f_.name;
    if (at_ < f_.code.size())
      where += ", instruction " + std::to_string(at_) + " (" + opName(f_.code[at_].op) + ")";
    out_.push_back(where + ": " + what);
  }
  void check(bool ok, const char *what) {
    if (!ok) report(what);
  }
  void checkRange(uint64_t first, uint64_t n, uint64_t size, const char *what) {
    if (first > size || n > size - first)
      report(std::string(what) + " " + std::to_string(first) + "+" + std::to_string(n) + " of " +
             std::to_string(size));
  }
  void checkTarget(uint32_t target) { checkRange(target, 1, f_.code.size(), "target"); }

  void shape() {
    at_ = kNoIndex;
    check(!f_.code.empty(), "no code");
    check(f_.locs.size() == f_.code.size(), "locations and instructions differ in number");
    check(f_.argSlots <= f_.localBase && f_.localBase <= f_.slots, "slot ranges overlap");
    check(!f_.blockStarts.empty() && f_.blockStarts.front() == 0,
          "entry block does not start at 0");
    check(std::is_sorted(f_.blockStarts.begin(), f_.blockStarts.end()),
          "block starts are not ascending");
    for (uint32_t start : f_.blockStarts) checkTarget(start);
    if (!f_.code.empty()) check(isTerminator(f_.code.back().op), "control falls off the end");
    uint32_t slots = 0;
    for (const Param &p : f_.params) {
      check(p.slot == slots, "parameters are not consecutive");
      slots += p.slots;
    }
    check(slots == f_.argSlots, "argSlots is not the sum of the parameters");
    shape(f_.argShape, f_.argSlots);
    shape(f_.retShape, f_.retSlots);
    for (const CallSig &sig : f_.callSigs) {
      shape(sig.argShape, sig.argSlots);
      shape(sig.retShape, sig.retSlots);
    }
    for (uint32_t loc : f_.locs) checkRange(loc, 1, program_.locations.size(), "location");
    for (uint32_t slot : f_.pool) checkRange(slot, 1, f_.slots, "argument slot");
    for (const auto &list : f_.varArgs)
      for (const VarArg &arg : list) {
        checkRange(arg.slot, !arg.byval && arg.sizeBytes > 8 ? 2 : 1, f_.slots,
                   "variable argument slot");
        check(arg.byval || arg.sizeBytes == 8 || arg.sizeBytes == 16,
              "variable argument is neither one nor two words");
        check(arg.align == 8 || arg.align == 16 || arg.byval,
              "variable argument with an odd alignment");
      }
    for (const SwitchTable &table : f_.switches) {
      check(table.values.size() == table.targets.size() &&
                table.values.size() == table.sides.size(),
            "switch table columns differ in length");
      check(std::is_sorted(table.values.begin(), table.values.end()) &&
                std::adjacent_find(table.values.begin(), table.values.end()) == table.values.end(),
            "switch values are not ascending");
      checkTarget(table.defaultTarget);
      for (uint32_t target : table.targets) checkTarget(target);
      if (branch(table.branchId, table.own))
        for (uint32_t side : table.sides)
          check(side < program_.branches[table.branchId].sides, "switch side out of range");
    }
    for (const auto &list : f_.blockTargets)
      for (auto &[address, target] : list) {
        check(classOf(address) == kBlockClass, "block address of the wrong class");
        checkTarget(target);
      }
  }

  void shape(uint32_t number, uint32_t slots) {
    checkRange(number, 1, program_.shapes.size(), "shape");
    if (number < program_.shapes.size())
      check(program_.shapes[number].size() == slots, "shape of another number of slots");
  }

  bool branch(uint64_t id, bool own) {
    if (id >= program_.branches.size()) {
      report("branch " + std::to_string(id) + " does not exist");
      return false;
    }
    check(program_.branches[id].function == f_.id, "branch belongs to another function");
    check(own == f_.own && own == (id < program_.ownBranches),
          "branch and function disagree on whose code it is");
    return true;
  }

  void call(const Inst &i, uint32_t argSlots, uint32_t retSlots, bool exactArgs) {
    checkRange(i.imm, i.b, f_.pool.size(), "pool range");
    if (exactArgs) check(i.b == argSlots, "number of argument slots is not the callee's");
    if (retSlots) checkRange(i.dst, retSlots, f_.slots, "result slots");
    if (i.d != kNoIndex) checkRange(i.d, 1, f_.varArgs.size(), "variable argument list");
  }

  void instruction(const Inst &i) {
    check(i.op < Op::Count, "operation out of range");
    forEachSlot(i, [&](const uint32_t &slot, uint32_t n, bool definition) {
      if (n)
        checkRange(slot, n, f_.slots,
                   definition ? "result slot"
                              : "operand slot"); // n = 0: a call's result, see call()
    });
    widths(i);
    switch (i.op) {
    case Op::Jmp: checkTarget(i.c); break;
    case Op::CondJmp:
      checkTarget(i.c), checkTarget(i.d);
      if (i.imm != kNoIndex) branch(i.imm, i.flags & kOwn);
      break;
    case Op::Switch: checkRange(i.imm, 1, f_.switches.size(), "switch table"); break;
    case Op::IndirectBr: checkRange(i.imm, 1, f_.blockTargets.size(), "block list"); break;
    case Op::Call:
      checkRange(i.c, 1, program_.functions.size(), "callee");
      if (i.c < program_.functions.size()) {
        const FunctionCode &callee = program_.functions[i.c];
        call(i, callee.argSlots, callee.retSlots, /*exactArgs=*/true);
        check(callee.varArg == (i.d != kNoIndex),
              "variable arguments without a variadic callee, or the reverse");
      }
      break;
    case Op::CallExternal:
      checkRange(i.c, 1, program_.externals.size(), "external");
      if (i.c < program_.externals.size())
        call(i, 0, program_.externals[i.c].retSlots, /*exactArgs=*/false);
      break;
    case Op::CallIndirect:
      checkRange(i.c, 1, f_.callSigs.size(), "call signature");
      if (i.c < f_.callSigs.size())
        call(i, f_.callSigs[i.c].argSlots, f_.callSigs[i.c].retSlots, /*exactArgs=*/true);
      break;
    case Op::Ret:
      check(i.b == f_.retSlots, "returns another number of slots than the function");
      break;
    case Op::RetVoid:
      check(f_.retSlots == 0, "returns nothing from a function with a result");
      break;
    case Op::Unsupported: checkRange(i.imm, 1, program_.messages.size(), "message"); break;
    case Op::Alloca:
    case Op::AllocaDyn:
      checkRange(i.d, 1, f_.allocas.size(), "alloca");
      check(std::has_single_bit(i.c), "alignment is not a power of two");
      break;
    case Op::Uninit:
      if (i.d != kNoIndex) checkRange(i.d, 1, f_.allocas.size(), "variable");
      break;
    default: break;
    }
    if (!isTerminator(i.op)) check(at_ + 1 < f_.code.size(), "control falls off the end");
  }

  void widths(const Inst &i) {
    const uint64_t mask = i.w >= 64 ? ~uint64_t(0) : (uint64_t(1) << i.w) - 1;
    if (isFloatOp(i.op)) {
      check(i.w <= static_cast<unsigned>(FpType::X87), "floating-point type out of range");
      if (i.op == Op::FCmp) check(i.d < 16, "predicate out of range");
      if (i.op == Op::FMath1 || i.op == Op::FMath2 || i.op == Op::FToInt)
        check(i.d <= static_cast<unsigned>(FpMath::Lround), "function out of range");
      if (i.op == Op::FConv)
        check(i.c <= static_cast<unsigned>(FpType::X87), "source type out of range");
      return;
    }
    switch (i.op) {
    case Op::WideBin:
    case Op::WideOverflow:
      check(i.d <= static_cast<unsigned>(WideOp::SMax), "operation out of range");
      [[fallthrough]];
    case Op::WideCmp:
    case Op::WideZext:
    case Op::WideSext:
    case Op::WideMov:
    case Op::WideConst:
    case Op::WideSelect:
    case Op::WideBit:
    case Op::LoadWide:
    case Op::StoreWide:
      check(i.w > 64 && i.w <= 128, "wide operation of a width that is not 65..128");
      break;
    case Op::WideTrunc:
      check(i.c > 64 && i.c <= 128 && i.w < i.c && i.w > 0, "truncation to no smaller width");
      break;
    case Op::TruncN: check(i.w > 0 && i.w < 64, "truncation to no smaller width"); break;
    case Op::SextN:
    case Op::ZextSym:
      check(i.c > 0 && i.c < i.w && i.w <= 64, "extension to no larger width");
      break;
#define FATHOM_OP(name)
#define FATHOM_BINARY_OP(name)
#define FATHOM_IMMEDIATE_OP(name) case Op::name:
#include "program/Opcodes.def"
    case Op::ThreadLocal:
    case Op::Const:
      check(i.w > 0 && i.w <= 64, "width is not 1..64");
      check((i.imm & ~mask) == 0, "immediate is wider than the operation");
      if (i.op == Op::ShlI || i.op == Op::LShrI || i.op == Op::AShrI)
        check(i.imm < i.w, "shift amount is not below the width");
      break;
    case Op::LoadN:
    case Op::StoreN:
      check(i.w > 0 && i.w <= 64 && i.d >= 1 && i.d <= 8 && i.w <= 8 * i.d,
            "access of an impossible width");
      break;
    case Op::Add32:
    case Op::Sub32:
    case Op::Mul32: check(i.w == 32, "32-bit operation of another width"); break;
    case Op::Add64:
    case Op::Sub64:
    case Op::Mul64: check(i.w == 64, "64-bit operation of another width"); break;
#define FATHOM_OP(name)
#define FATHOM_BINARY_OP(name) case Op::name:
#define FATHOM_IMMEDIATE_OP(name)
#include "program/Opcodes.def"
      check(i.w > 0 && i.w <= 64, "width is not 1..64");
      break;
    case Op::Mov:
    case Op::Select:
    case Op::Uninit:
    case Op::NonZero: check(i.w > 0 && i.w <= 128, "width is not 1..128"); break;
    default: break;
    }
  }

  /// Slots from localBase on carry nothing into a block: within a block's code, stubs included, a
  /// read comes after a write. Jumps inside a block only skip forward over accesses, so that the
  /// order in the code decides.
  void localSlots() {
    std::vector<uint32_t> writtenIn(f_.slots - std::min(f_.localBase, f_.slots),
                                    0); // block number + 1
    size_t block = 0;
    bool dead = false; // after an Unsupported: never run, and not everything it reads was decoded
    for (at_ = 0; at_ < f_.code.size(); ++at_) {
      for (; block < f_.blockStarts.size() && f_.blockStarts[block] <= at_; ++block) dead = false;
      const Inst &i = f_.code[at_];
      dead |= i.op == Op::Unsupported;
      if (dead) continue;
      forEachAccess(program_, f_, i, [&](uint32_t slot, uint32_t n, bool definition) {
        for (uint32_t k = slot; k < slot + n; ++k) {
          if (k < f_.localBase || k >= f_.slots) continue;
          if (definition)
            writtenIn[k - f_.localBase] = static_cast<uint32_t>(block);
          else if (writtenIn[k - f_.localBase] != block)
            report("slot " + std::to_string(k) + " is read before it is written in its block");
        }
      });
    }
  }

  /// Arguments have the widths of the callee's parameters, as far as the call's own block says what
  /// is in their slots: a term of another width would be taken for one of the parameter's.
  void arguments() {
    std::vector<unsigned> bits(f_.slots, 0);
    size_t block = 0;
    for (at_ = 0; at_ < f_.code.size(); ++at_) {
      for (; block < f_.blockStarts.size() && f_.blockStarts[block] <= at_; ++block)
        std::fill(bits.begin(), bits.end(), 0);
      const Inst &i = f_.code[at_];
      if (i.op == Op::Unsupported) return; // not everything after it was decoded
      if (i.op == Op::Call && i.c < program_.functions.size())
        passed(i, program_.functions[i.c].argShape, bits);
      if (i.op == Op::CallIndirect && i.c < f_.callSigs.size())
        passed(i, f_.callSigs[i.c].argShape, bits);
      forEachSlot(i, [&](const uint32_t &slot, uint32_t n, bool definition) {
        if (!definition) return;
        // How many slots the result of a call takes does not matter: what is not known is left out.
        for (uint32_t k = 0; k < std::max(n, 1u) && slot + k < f_.slots; ++k) bits[slot + k] = 0;
        if (!n) std::fill(bits.begin() + std::min(slot, f_.slots), bits.end(), 0);
        if (slot < f_.slots) bits[slot] = resultBits(i);
      });
    }
  }

  void passed(const Inst &i, uint32_t number, const std::vector<unsigned> &bits) {
    if (number >= program_.shapes.size()) return;
    const Shape &wanted = program_.shapes[number];
    for (uint32_t k = 0; k < i.b && k < wanted.size() && i.imm + k < f_.pool.size(); ++k) {
      uint32_t slot = f_.pool[i.imm + k];
      if (wanted[k] && slot < f_.slots && bits[slot])
        check(bits[slot] == shapeBits(wanted[k]), "argument of another width than the parameter");
    }
  }

  const Program &program_;
  const FunctionCode &f_;
  std::vector<std::string> &out_;
  uint32_t at_ = 0;
};

void verifyTables(const Program &p, std::vector<std::string> &out) {
  auto check = [&](bool ok, const std::string &what) {
    if (!ok) out.push_back(what);
  };
  uint32_t cover = 0, sides = 0;
  for (size_t i = 0; i < p.functions.size(); ++i) {
    const FunctionCode &f = p.functions[i];
    check(f.id == i, f.name + ": wrong number");
    check(f.coverBase == cover, f.name + ": coverage ranges are not consecutive");
    cover += static_cast<uint32_t>(f.code.size());
  }
  check(p.coverSize == cover, "coverSize is not the number of instructions");
  for (size_t i = 0; i < p.branches.size(); ++i) {
    const Branch &b = p.branches[i];
    check(b.sideBase == sides, "branch " + std::to_string(i) + ": sides are not consecutive");
    sides += b.sides;
    check(b.function < p.functions.size() && p.functions[b.function].own == (i < p.ownBranches),
          "branch " + std::to_string(i) + ": own branches come first");
    check(b.location < p.locations.size(), "branch " + std::to_string(i) + ": no such location");
    if (i + 1 == p.ownBranches)
      check(p.ownBranchSides == sides, "ownBranchSides is not the sum of the own branches' sides");
  }
  check(p.branchSides == sides, "branchSides is not the sum of the branches' sides");
  for (const Global &g : p.globals) {
    check(g.init.empty() || g.init.size() == g.sizeBytes,
          "global " + g.name + ": initialiser of another size");
    check(isDataAddress(g.address) &&
              objectAddress(classOf(g.address), slotOf(g.address)) == g.address,
          "global " + g.name + ": impossible address");
    check(classOf(g.address) >= smallestClass(g.sizeBytes),
          "global " + g.name + ": slot is too small");
    check(slotOf(g.address) < p.slotsUsed[classOf(g.address)],
          "global " + g.name + ": slot counts as free");
  }
  for (const Location &l : p.locations)
    check(l.file < p.files.size(), "location names a file that does not exist");
}

} // namespace

std::vector<std::string> verify(const Program &program) {
  std::vector<std::string> out;
  verifyTables(program, out);
  for (const FunctionCode &f : program.functions) FunctionVerifier(program, f, out).run();
  return out;
}

} // namespace fathom::program
