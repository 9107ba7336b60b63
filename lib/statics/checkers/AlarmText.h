// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the abstract interpreter knows where an access or a division may fail, in words: where in
// which object of which size the access is, and the numbers of the variables that it depends on.
#ifndef FATHOM_STATICS_CHECKERS_ALARMTEXT_H
#define FATHOM_STATICS_CHECKERS_ALARMTEXT_H

#include "statics/abstract/Analysis.h"

#include <string>
#include <unordered_map>

namespace fathom::statics {

/// "0 to 7", "3 or more", "0 to 96 in steps of 4", "any number".
std::string numberInWords(const abstract::Progression &number);

class AlarmTexts {
public:
  explicit AlarmTexts(const abstract::AbstractProgram &program);

  /// The statement with the check; nullptr: there is none.
  const abstract::Statement *statementOf(abstract::CheckId check) const {
    return statements_[check];
  }
  /// "at offset 0 to 7 in name (4 bytes); length is 0 to 7"; "" when nothing is known.
  ///
  /// \param state     in which the check may fail.
  /// \param atSource  of a copy: where it reads.
  std::string of(abstract::CheckId check, const abstract::State &state, bool atSource);

private:
  using Definitions = std::unordered_map<abstract::VarId, std::vector<const abstract::Statement *>>;
  const Definitions &definitionsIn(abstract::FunctionId function);
  std::string addressText(const abstract::State &state, const abstract::Operand &address) const;
  std::string objectText(const abstract::State &state, const abstract::Object &object) const;

  const abstract::AbstractProgram &program_;
  std::vector<const abstract::Statement *> statements_; ///< by check
  std::unordered_map<abstract::FunctionId, Definitions> definitions_;
};

} // namespace fathom::statics
#endif
