// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Dictionary.h"

#include "program/Load.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

#include <set>
#include <vector>

using namespace llvm;

namespace fathom::campaign {

namespace {

/// A line of a dictionary, with its end.
std::string dictionaryWord(StringRef word) {
  std::string out = "\"";
  for (const char c : word)
    out += c < 0x20 || c > 0x7e || c == '"' || c == '\\'
               ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c))
               : std::string(1, c);
  return out + "\"\n";
}

class Words {
public:
  void add(StringRef bytes, bool isCompared) {
    if (bytes.size() < 2 || bytes.size() > 32) return;
    (isCompared ? compared_ : mentioned_).push_back(bytes.str());
  }

  std::string text() const {
    std::string out;
    std::set<std::string> seen;
    for (auto *words : {&compared_, &mentioned_})
      for (const std::string &word : *words)
        if (seen.size() < kMaxWords && seen.insert(word).second) out += dictionaryWord(word);
    return out;
  }

private:
  std::vector<std::string> compared_, mentioned_;
};

void addInteger(const Value *value, Words &words) {
  auto *constant = dyn_cast<ConstantInt>(value);
  if (!constant || constant->getBitWidth() > 64) return;
  const uint64_t number = constant->getZExtValue();
  const unsigned bits = constant->getBitWidth();
  // Small numbers and small negative ones are found without help.
  if (number < 256 || constant->getValue().isSignedIntN(8)) return;
  unsigned bytes = bits <= 16 || (number >> 16) == 0   ? 2
                   : bits <= 32 || (number >> 32) == 0 ? 4
                                                       : 8;
  std::string little;
  for (unsigned i = 0; i < bytes; ++i) little += static_cast<char>(number >> (8 * i));
  words.add(little, /*isCompared=*/true);
  words.add(std::string(little.rbegin(), little.rend()), /*isCompared=*/true);
}

/// A call that compares or looks for strings.
bool comparesStrings(const CallBase *call) {
  const Function *callee = call->getCalledFunction();
  if (!callee) return false;
  StringRef name = callee->getName();
  return name.contains("cmp") || name == "strstr" || name == "strcasestr" || name == "memmem";
}

void addString(const Value *value, bool isCompared, Words &words) {
  auto *global = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  if (!global || !global->isConstant() || !global->hasInitializer()) return;
  auto *data = dyn_cast<ConstantDataArray>(global->getInitializer());
  if (!data || !data->isString()) return;
  StringRef bytes = data->getAsString();
  words.add(bytes.rtrim('\0'), isCompared);
}

} // namespace

std::string extractDictionary(const Module &module) {
  Words words;
  for (const Function &function : module) {
    if (function.isDeclaration() || !program::isOwnFunction(function)) continue;
    for (const Instruction &instruction : instructions(function)) {
      if (auto *inst = dyn_cast<SwitchInst>(&instruction))
        for (auto &c : inst->cases()) addInteger(c.getCaseValue(), words);
      const bool isComparison = isa<ICmpInst>(instruction);
      auto *call = dyn_cast<CallBase>(&instruction);
      for (const Use &operand : instruction.operands()) {
        if (isComparison) addInteger(operand, words);
        addString(operand, call && comparesStrings(call), words);
      }
    }
  }
  return words.text();
}

std::string joinDictionaries(const std::vector<std::string> &words, const std::string &known) {
  std::string out;
  std::set<std::string> seen;
  for (const std::string &word : words)
    if (seen.insert(dictionaryWord(word)).second) out += dictionaryWord(word);
  for (StringRef rest(known); !rest.empty();) {
    auto [line, after] = rest.split('\n');
    if (seen.insert(line.str() + "\n").second) out += line.str() + "\n";
    rest = after;
  }
  return out;
}

} // namespace fathom::campaign
