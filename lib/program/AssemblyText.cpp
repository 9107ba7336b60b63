// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/AssemblyText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"

#include <algorithm>

using namespace llvm;

namespace fathom::program {

std::string assemblyOfFirstDialect(StringRef text) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("$|")) {
      const size_t end = text.find("$)");
      text = end == StringRef::npos ? StringRef() : text.drop_front(end + 2);
    } else if (text.starts_with("$(") || text.starts_with("$)")) {
      text = text.drop_front(2);
    } else {
      const size_t length = text.starts_with("$$") ? 2 : 1;
      out += text.take_front(length);
      text = text.drop_front(length);
    }
  }
  return out;
}

std::string normalizedAssembly(StringRef given) {
  const std::string plain = assemblyOfFirstDialect(given);
  StringRef text = plain;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    StringRef rest = text.substr(i);
    if (rest.starts_with("${")) {
      size_t end = rest.find('}');
      if (end == StringRef::npos) { // no operand, and nothing that can be understood
        out += rest.str();
        break;
      }
      out += "$" + rest.substr(2, end - 2).split(':').first.str();
      i += end;
    } else if (text[i] == '\n' || text[i] == ';') {
      if (!out.empty() && out.back() != ';') out += ';';
    } else if (text[i] == ' ' || text[i] == '\t') {
      if (!out.empty() && out.back() != ' ' && out.back() != ';' && out.back() != ',') out += ' ';
    } else {
      out += text[i];
    }
  }
  while (!out.empty() && (out.back() == ';' || out.back() == ' ')) out.pop_back();
  return out;
}

bool isAssemblyWithoutEffect(StringRef text) {
  SmallVector<StringRef, 4> lines;
  SmallVector<StringRef, 4> statements;
  text.split(lines, '\n');
  for (StringRef line : lines) line.split(statements, ';');
  for (StringRef s : statements) {
    s = s.split('#').first.trim();
    if (!s.empty() && s != "nop" && s != "pause" && s != "rep" && s != "mfence" && s != "lfence" &&
        s != "sfence")
      return false;
  }
  return true;
}

std::string oneLineAssembly(StringRef text) {
  SmallVector<StringRef, 4> lines;
  text.split(lines, '\n');
  std::string out;
  for (StringRef line : lines) {
    std::string trimmed = line.trim().str();
    std::replace(trimmed.begin(), trimmed.end(), '\t', ' ');
    if (!trimmed.empty()) out += (out.empty() ? "" : "; ") + trimmed;
  }
  return out;
}

bool isCpuid(StringRef text) {
  bool found = false;
  SmallVector<StringRef, 4> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    if (line == "cpuid")
      found = true;
    else if (!line.empty() && !line.starts_with("xchgq") && !line.starts_with("xchg{"))
      return false;
  }
  return found;
}

// --- what it depends on
// ------------------------------------------------------------------------------------

namespace {

/// System calls, what the kernel alone may do, what changes how later instructions work, and what
/// gives something else each time.
bool isRefused(StringRef mnemonic) {
  static const StringSet<> kRefused = {
      "syscall",  "sysenter", "sysexit",  "sysret",   "sysretq", "int",     "into",     "iret",
      "iretq",    "hlt",      "in",       "inb",      "inw",     "inl",     "insb",     "insw",
      "insl",     "out",      "outb",     "outw",     "outl",    "outsb",   "outsw",    "outsl",
      "cli",      "sti",      "clts",     "lgdt",     "lidt",    "lldt",    "ltr",      "lmsw",
      "wrmsr",    "rdmsr",    "rdpmc",    "invd",     "wbinvd",  "invlpg",  "vmcall",   "vmlaunch",
      "vmresume", "vmmcall",  "vmfunc",   "monitor",  "mwait",   "xsetbv",  "xgetbv",   "swapgs",
      "wrfsbase", "wrgsbase", "rdfsbase", "rdgsbase", "wrpkru",  "rdpkru",  "call",     "callq",
      "ret",      "retq",     "leave",    "leaveq",   "enter",   "ljmp",    "lcall",    "rdrand",
      "rdseed",   "rdtsc",    "rdtscp",   "rdpid",    "cpuid",   "ldmxcsr", "vldmxcsr", "fldcw",
      "fldenv",   "frstor",   "finit",    "fninit",   "fxrstor", "xrstor",  "xrstor64", "std",
      "popf",     "popfq",    "popfw",    "xbegin",   "xabort",  "xend",    "rdrandw",  "rdrandl",
      "rdrandq",  "rdseedw",  "rdseedl",  "rdseedq",  "enqcmd",  "sgdt",    "sidt",     "sldt",
      "str",      "smsw"};
  return kRefused.contains(mnemonic);
}

/// Threads' memory, the stack, the program counter, and what the kernel alone may change.
bool isRefusedRegister(StringRef name) {
  return name == "fs" || name == "gs" || name == "cs" || name == "ss" || name == "ds" ||
         name == "es" || name == "rsp" || name == "esp" || name == "sp" || name == "spl" ||
         name == "rip" || name == "eip" || name.starts_with("cr") || name.starts_with("dr") ||
         name.starts_with("db");
}

bool isNameByte(char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$'; }
bool isNumber(StringRef name) { return !name.empty() && isDigit(name[0]); }

/// Statement by statement, in AT&T's syntax.
class Reader {
public:
  explicit Reader(StringRef text) : text_(text) {
    SmallVector<StringRef, 16> statements;
    StringRef(text_).split(statements, ';');
    for (StringRef s : statements) {
      s = s.split('#').first.trim();
      for (size_t colon; (colon = labelEnd(s)) != StringRef::npos; s = s.substr(colon + 1).trim())
        labels_.insert(s.take_front(colon));
      if (!s.empty()) statements_.push_back(s);
    }
  }

  std::string refusal() {
    for (StringRef s : statements_)
      if (std::string why = refusal(s); !why.empty()) return why;
    return pushes_ ? "it moves the stack" : "";
  }

private:
  static size_t labelEnd(StringRef s) {
    size_t n = 0;
    while (n < s.size() && isNameByte(s[n])) n++;
    return n && n < s.size() && s[n] == ':' ? n : StringRef::npos;
  }

  std::string refusal(StringRef s) {
    auto [mnemonic, operands] = s.split(' ');
    if (mnemonic == "lock" || mnemonic.starts_with("rep"))
      return operands.empty() ? "" : refusal(operands.trim());
    if (mnemonic.starts_with("."))
      return mnemonic == ".align" || mnemonic == ".p2align" || mnemonic == ".balign"
                 ? ""
                 : "directive " + mnemonic.str();
    if (!all_of(mnemonic, isAlnum)) return "an instruction that is an operand";
    if (isRefused(mnemonic)) return "instruction " + mnemonic.str();
    if (mnemonic.starts_with("push")) pushes_++;
    if (mnemonic.starts_with("pop") && !mnemonic.starts_with("popcnt")) pushes_--;
    if (pushes_ < 0) return "it moves the stack";
    const bool isJump = mnemonic[0] == 'j' || mnemonic.starts_with("loop");
    if (isJump && !isLabel(operands.trim())) return "a jump out of it";
    return operandsRefusal(operands);
  }

  bool isLabel(StringRef name) const {
    if (labels_.contains(name)) return true;
    return name.size() > 1 && (name.back() == 'b' || name.back() == 'f') &&
           labels_.contains(name.drop_back());
  }

  std::string operandsRefusal(StringRef rest) {
    while (!rest.empty()) {
      const char c = rest[0];
      if (c == '%') {
        StringRef name = rest.drop_front().take_while(isAlnum);
        if (isRefusedRegister(name)) return "register %" + name.str();
        rest = rest.drop_front(1 + name.size());
      } else if (c == '$') { // $$5 is an immediate, $5 an operand
        rest = rest.drop_front(rest.starts_with("$$") ? 2 : 1);
        if (rest.starts_with("-")) rest = rest.drop_front();
        if (!rest.empty() && isNumber(rest)) rest = rest.drop_while(isAlnum);
      } else if (isNameByte(c)) {
        StringRef name = rest.take_while(isNameByte);
        if (!isNumber(name) && !isLabel(name)) return "symbol " + name.str();
        rest = rest.drop_front(name.size());
      } else {
        rest = rest.drop_front();
      }
    }
    return "";
  }

  std::string text_;
  SmallVector<StringRef, 16> statements_;
  StringSet<> labels_;
  int pushes_ = 0;
};

} // namespace

std::string whyNotOutlined(const InlineAsm &assembly) {
  if (assembly.getDialect() != InlineAsm::AD_ATT) return "Intel's syntax";
  if (assembly.canThrow()) return "it can throw";
  return Reader(normalizedAssembly(assembly.getAsmString())).refusal();
}

} // namespace fathom::program
