// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parser of AT&T syntax by hand. From the top down: parseAssembly splits the text into
// statements, parseInstruction takes labels and prefixes off, parseMnemonic finds operation and
// width, parseOperands the operands. Whatever is not known makes the whole statement unknown.
#include "program/AssemblyCode.h"

#include "program/AssemblyText.h"
#include "support/NameTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace fathom::program {
namespace {

constexpr auto kMnemonics = nameTable<AsmOp>({
    {"nop", AsmOp::Nothing},    {"pause", AsmOp::Nothing},   {"mfence", AsmOp::Fence},
    {"lfence", AsmOp::Nothing}, {"sfence", AsmOp::Nothing},  {"mov", AsmOp::Mov},
    {"movabs", AsmOp::Mov},     {"lea", AsmOp::Lea},         {"xchg", AsmOp::Xchg},
    {"add", AsmOp::Add},        {"adc", AsmOp::Adc},         {"sub", AsmOp::Sub},
    {"sbb", AsmOp::Sbb},        {"cmp", AsmOp::Cmp},         {"and", AsmOp::And},
    {"or", AsmOp::Or},          {"xor", AsmOp::Xor},         {"test", AsmOp::Test},
    {"not", AsmOp::Not},        {"neg", AsmOp::Neg},         {"inc", AsmOp::Inc},
    {"dec", AsmOp::Dec},        {"shl", AsmOp::Shl},         {"sal", AsmOp::Shl},
    {"shr", AsmOp::Shr},        {"sar", AsmOp::Sar},         {"rol", AsmOp::Rol},
    {"ror", AsmOp::Ror},        {"rcl", AsmOp::Rcl},         {"rcr", AsmOp::Rcr},
    {"shld", AsmOp::Shld},      {"shrd", AsmOp::Shrd},       {"bt", AsmOp::Bt},
    {"bts", AsmOp::Bts},        {"btr", AsmOp::Btr},         {"btc", AsmOp::Btc},
    {"bsf", AsmOp::Bsf},        {"bsr", AsmOp::Bsr},         {"tzcnt", AsmOp::Tzcnt},
    {"lzcnt", AsmOp::Lzcnt},    {"popcnt", AsmOp::Popcnt},   {"bswap", AsmOp::Bswap},
    {"mul", AsmOp::Mul},        {"imul", AsmOp::Imul},       {"div", AsmOp::Div},
    {"idiv", AsmOp::Idiv},      {"mulx", AsmOp::Mulx},       {"adcx", AsmOp::Adcx},
    {"adox", AsmOp::Adox},      {"rorx", AsmOp::Rorx},       {"sarx", AsmOp::Sarx},
    {"shlx", AsmOp::Shlx},      {"shrx", AsmOp::Shrx},       {"andn", AsmOp::Andn},
    {"xadd", AsmOp::Xadd},      {"cmpxchg", AsmOp::Cmpxchg}, {"clc", AsmOp::ClearCarry},
    {"stc", AsmOp::SetCarry},   {"cmc", AsmOp::FlipCarry},   {"movs", AsmOp::Movs},
    {"stos", AsmOp::Stos},      {"cld", AsmOp::Nothing}, // as calling conventions have it
});

/// Instructions whose width is part of the name.
struct FixedWidth {
  AsmOp op;
  unsigned bits;
};
constexpr NamedValue<FixedWidth> kFixed[] = {
    {"cbtw", {AsmOp::ExtendAccumulator, 16}}, {"cbw", {AsmOp::ExtendAccumulator, 16}},
    {"cwtl", {AsmOp::ExtendAccumulator, 32}}, {"cwde", {AsmOp::ExtendAccumulator, 32}},
    {"cltq", {AsmOp::ExtendAccumulator, 64}}, {"cdqe", {AsmOp::ExtendAccumulator, 64}},
    {"cwtd", {AsmOp::SignToHigh, 16}},        {"cwd", {AsmOp::SignToHigh, 16}},
    {"cltd", {AsmOp::SignToHigh, 32}},        {"cdq", {AsmOp::SignToHigh, 32}},
    {"cqto", {AsmOp::SignToHigh, 64}},        {"cqo", {AsmOp::SignToHigh, 64}},
};

constexpr auto kConditions = nameTable<AsmCondition>({
    {"o", AsmCondition::Overflow},
    {"no", AsmCondition::NoOverflow},
    {"b", AsmCondition::Below},
    {"c", AsmCondition::Below},
    {"nae", AsmCondition::Below},
    {"ae", AsmCondition::AboveOrEqual},
    {"nb", AsmCondition::AboveOrEqual},
    {"nc", AsmCondition::AboveOrEqual},
    {"e", AsmCondition::Equal},
    {"z", AsmCondition::Equal},
    {"ne", AsmCondition::NotEqual},
    {"nz", AsmCondition::NotEqual},
    {"be", AsmCondition::BelowOrEqual},
    {"na", AsmCondition::BelowOrEqual},
    {"a", AsmCondition::Above},
    {"nbe", AsmCondition::Above},
    {"s", AsmCondition::Sign},
    {"ns", AsmCondition::NoSign},
    {"p", AsmCondition::Parity},
    {"pe", AsmCondition::Parity},
    {"np", AsmCondition::NoParity},
    {"po", AsmCondition::NoParity},
    {"l", AsmCondition::Less},
    {"nge", AsmCondition::Less},
    {"ge", AsmCondition::GreaterOrEqual},
    {"nl", AsmCondition::GreaterOrEqual},
    {"le", AsmCondition::LessOrEqual},
    {"ng", AsmCondition::LessOrEqual},
    {"g", AsmCondition::Greater},
    {"nle", AsmCondition::Greater},
});

/// The width that a suffix or a modifier stands for; 0: it is none.
unsigned widthOf(char letter) {
  switch (letter) {
  case 'b': return 8;
  case 'w': return 16;
  case 'l':
  case 'k': return 32;
  case 'q': return 64;
  default: return 0;
  }
}

bool number(StringRef text, int64_t &out) {
  const bool isNegative = text.consume_front("-");
  uint64_t magnitude = 0;
  if (text.empty() || !isDigit(text[0]) || text.getAsInteger(0, magnitude)) return false;
  out = static_cast<int64_t>(isNegative ? -magnitude : magnitude);
  return true;
}

/// $5, ${5:q}
bool parsePlaceholder(StringRef text, AsmPlace &place) {
  place = {.isOperand = true};
  if (!text.consume_front("$")) return false;
  if (text.consume_front("{")) {
    if (!text.consume_back("}")) return false;
    auto [digits, modifier] = text.split(':');
    text = digits;
    if (modifier.size() > 1) return false;
    if (modifier == "h") {
      place.bits = 8;
      place.isHigh = true;
    } else if (!modifier.empty()) {
      place.bits = modifier == "l" ? 0 : widthOf(modifier[0]);
      if (!place.bits) return false;
    }
  }
  return !text.empty() && !text.getAsInteger(10, place.number);
}

bool parsePlace(StringRef text, AsmPlace &place) {
  text = text.trim();
  if (!text.consume_front("%")) return parsePlaceholder(text, place);
  const std::optional<AsmPlace> known = assemblyRegister(text);
  if (known) place = *known;
  return known.has_value();
}

/// 8(%rax,$1,4)
bool parseMemory(StringRef text, AsmOperand &out) {
  out.kind = AsmOperand::Kind::Memory;
  if (!text.consume_back(")")) return false;
  auto [displacement, inside] = text.split('(');
  displacement = displacement.trim();
  if (!displacement.empty() && !number(displacement, out.value)) return false;
  SmallVector<StringRef, 3> parts;
  inside.split(parts, ',');
  if (parts.empty() || parts.size() > 3) return false;
  AsmPlace place;
  if (!parts[0].trim().empty()) {
    if (!parsePlace(parts[0], place)) return false;
    out.base = place;
  }
  if (parts.size() > 1) {
    if (!parsePlace(parts[1], place)) return false;
    out.index = place;
  }
  if (parts.size() > 2 && (parts[2].trim().getAsInteger(10, out.scale) ||
                           (out.scale != 1 && out.scale != 2 && out.scale != 4 && out.scale != 8)))
    return false;
  return out.base || out.index;
}

bool parseOperand(StringRef text, AsmOperand &out) {
  text = text.trim();
  if (text.ends_with(")")) return parseMemory(text, out);
  if (text.starts_with("$$")) return number(text.drop_front(2).trim(), out.value);
  out.kind = AsmOperand::Kind::Place;
  return parsePlace(text, out.place);
}

bool parseOperands(StringRef text, SmallVectorImpl<AsmOperand> &out) {
  text = text.trim();
  while (!text.empty()) {
    size_t end = 0;
    for (int depth = 0; end < text.size() && (depth || text[end] != ','); end++)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (!parseOperand(text.take_front(end), out.emplace_back())) return false;
    if (end == text.size()) break;
    text = text.drop_front(end + 1);
    if (text.trim().empty()) return false;
  }
  return true;
}

/// A name as it is, or with the letter of a width after it.
bool parseMnemonic(StringRef name, AsmInstruction &out) {
  for (const auto &fixed : kFixed)
    if (name == StringRef(fixed.name)) {
      out.op = fixed.value.op;
      out.bits = fixed.value.bits;
      return true;
    }
  if (const std::optional<AsmOp> op = kMnemonics.find(name)) {
    out.op = *op;
    return true;
  }
  for (auto [prefix, op] : {std::pair("movz", AsmOp::MovZero), std::pair("movs", AsmOp::MovSign)}) {
    StringRef widths = name;
    if (!widths.consume_front(prefix) || widths.size() != 2) continue;
    out.op = op;
    out.fromBits = widthOf(widths[0]);
    out.bits = widthOf(widths[1]);
    return out.fromBits && out.fromBits < out.bits;
  }
  for (auto [prefix, op] : {std::pair("set", AsmOp::Set), std::pair("cmov", AsmOp::Cmov)}) {
    StringRef condition = name;
    if (!condition.consume_front(prefix) || condition.empty()) continue;
    out.op = op;
    if (op == AsmOp::Set) out.bits = 8;
    std::optional<AsmCondition> known = assemblyCondition(condition);
    if (!known && op == AsmOp::Cmov && (out.bits = widthOf(condition.back())))
      known = assemblyCondition(condition.drop_back());
    if (known) out.condition = *known;
    return known.has_value();
  }
  const unsigned bits = name.empty() ? 0 : widthOf(name.back());
  const std::optional<AsmOp> op = bits ? kMnemonics.find(name.drop_back()) : std::nullopt;
  if (!op || *op == AsmOp::Nothing) return false;
  out.op = *op;
  out.bits = bits;
  return true;
}

/// "orl $0,(%rsp)": with a lock it is a barrier that older processors have, too.
bool isStackBarrier(StringRef text) {
  std::string plain;
  for (char c : text)
    if (c != ' ' && c != '\t') plain += c;
  StringRef rest = plain;
  if (!rest.consume_front("or") && !rest.consume_front("add")) return false;
  if (!rest.empty() && widthOf(rest[0])) rest = rest.drop_front();
  if (!rest.consume_front("$$0,") && !rest.consume_front("$$0x0,")) return false;
  return rest.drop_while([](char c) { return c == '-' || isDigit(c); }) == "(%rsp)";
}

/// What can be part of a label's name; ${:uid} is a number of each copy of the statement.
size_t lengthOfLabel(StringRef text) {
  constexpr StringRef kUnique = "${:uid}";
  size_t n = 0;
  while (n < text.size()) {
    if (text.drop_front(n).starts_with(kUnique))
      n += kUnique.size();
    else if (isAlnum(text[n]) || text[n] == '_' || text[n] == '.')
      n++;
    else
      break;
  }
  return n;
}

/// Instructions, and by their side the names of labels.
struct Parsed {
  std::vector<AsmInstruction> code;
  std::vector<StringRef> names; ///< of a label, or where a jump goes to; "": another instruction

  void add(AsmInstruction i, StringRef name = "") {
    code.push_back(std::move(i));
    names.push_back(name);
  }
  /// False: some jump goes backwards, or out of the statement, or a label is for others.
  bool findLabels() {
    SmallVector<size_t, 4> targets;
    for (size_t at = 0; at < code.size(); at++) {
      if (code[at].op != AsmOp::Jump) continue;
      StringRef name = names[at];
      if (isDigit(name[0]) && !name.consume_back("f")) return false;
      size_t to = at + 1;
      while (to < code.size() && (code[to].op != AsmOp::Label || names[to] != name)) to++;
      if (to == code.size()) return false;
      code[at].label = to;
      targets.push_back(to);
    }
    for (size_t at = 0; at < code.size(); at++)
      if (code[at].op == AsmOp::Label && !is_contained(targets, at)) return false;
    return true;
  }
};

/// "jnz 1f"; nothing: it is none.
std::optional<AsmInstruction> jumpOf(StringRef mnemonic) {
  AsmInstruction i;
  i.op = AsmOp::Jump;
  if (mnemonic == "jmp") return i;
  if (!mnemonic.consume_front("j")) return std::nullopt;
  const std::optional<AsmCondition> condition = assemblyCondition(mnemonic);
  if (!condition) return std::nullopt;
  i.condition = *condition;
  i.isConditional = true;
  return i;
}

/// \param prefix  in and out: a pending lock or rep prefix, which may have been a statement of its
/// own; "" once an instruction has used it.
bool parseInstruction(StringRef text, StringRef &prefix, Parsed &out) {
  for (size_t n; (n = lengthOfLabel(text)) && n < text.size() && text[n] == ':';) {
    if (!prefix.empty()) return false;
    AsmInstruction label;
    label.op = AsmOp::Label;
    out.add(label, text.take_front(n));
    text = text.drop_front(n + 1).trim();
  }
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \t"), text.size());
    StringRef word = text.take_front(end);
    if (word != "lock" && word != "rep" && word != "repz" && word != "repe") break;
    if (!prefix.empty()) return false;
    prefix = word;
    text = text.drop_front(end).trim();
  }
  if (text.empty()) return true;
  if (prefix == "lock" && isStackBarrier(text)) {
    prefix = "";
    AsmInstruction fence;
    fence.op = AsmOp::Fence;
    out.add(fence);
    return true;
  }
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string mnemonic = text.take_front(end).lower();
  if (const std::optional<AsmInstruction> jump = jumpOf(mnemonic)) {
    const StringRef to = text.drop_front(end).trim();
    if (!prefix.empty() || to.empty() || lengthOfLabel(to) != to.size()) return false;
    out.add(*jump, to);
    return true;
  }
  AsmInstruction i;
  if (!parseMnemonic(mnemonic, i)) return false;
  if (!parseOperands(text.drop_front(end), i.operands)) return false;
  i.isLocked = prefix == "lock";
  if (!prefix.empty() && !i.isLocked) { // a hint, or the encoding of a newer instruction
    if (i.op == AsmOp::Movs || i.op == AsmOp::Stos)
      i.isRepeated = true;
    else if (i.op == AsmOp::Bsf)
      i.op = AsmOp::Tzcnt;
    else if (i.op == AsmOp::Bsr)
      i.op = AsmOp::Lzcnt;
    else if (i.op != AsmOp::Nothing)
      return false;
  }
  prefix = "";
  out.add(std::move(i));
  return true;
}

std::string withoutComments(std::string text) {
  for (size_t begin; (begin = text.find("/*")) != std::string::npos;) {
    const size_t end = text.find("*/", begin + 2);
    text.replace(begin, end == std::string::npos ? text.size() : end + 2 - begin, " ");
  }
  return text;
}

} // namespace

std::optional<AsmCondition> assemblyCondition(StringRef name) {
  return kConditions.find(std::string_view(name.data(), name.size()));
}

std::optional<AsmPlace> assemblyRegister(StringRef name) {
  static constexpr StringRef kWords[] = {"ax", "cx", "dx", "bx", "", "bp", "si", "di"};
  static constexpr StringRef kLow[] = {"al", "cl", "dl", "bl", "", "bpl", "sil", "dil"};
  static constexpr StringRef kHigh[] = {"ah", "ch", "dh", "bh"};
  AsmPlace out;
  for (unsigned i = 0; i < 8; i++) {
    out.number = i;
    if (i < 4 && name == kHigh[i]) {
      out.bits = 8;
      out.isHigh = true;
      return out;
    }
    if (kWords[i].empty()) continue;
    out.bits = name == kLow[i]                   ? 8
               : name == kWords[i]               ? 16
               : name == ("e" + kWords[i]).str() ? 32
               : name == ("r" + kWords[i]).str() ? 64
                                                 : 0;
    if (out.bits) return out;
  }
  if (!name.consume_front("r")) return std::nullopt;
  out.bits = 64;
  if (const unsigned bits = name.ends_with("d") ? 32
                            : name.empty()      ? 0
                                                : widthOf(name.back());
      bits && bits < 64) {
    out.bits = bits;
    name = name.drop_back();
  }
  if (name.getAsInteger(10, out.number) || out.number < 8 || out.number > 15) return std::nullopt;
  return out;
}

std::optional<std::vector<AsmInstruction>> parseAssembly(StringRef text) {
  const std::string plain = withoutComments(assemblyOfFirstDialect(text));
  Parsed out;
  SmallVector<StringRef, 8> lines, statements;
  StringRef(plain).split(lines, '\n');
  for (StringRef line : lines) line.split('#').first.split(statements, ';');
  StringRef prefix;
  for (StringRef s : statements)
    if (!parseInstruction(s.trim(), prefix, out)) return std::nullopt;
  if (!prefix.empty() || !out.findLabels()) return std::nullopt;
  return std::move(out.code);
}

} // namespace fathom::program
