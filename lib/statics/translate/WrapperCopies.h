// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions like xmalloc: one object for what all their callers get would have all their sizes, so
// that nearly every access would be an alarm. Each call gets a copy of the function, with objects
// of its own. So do calls of functions that return what they get, which xmalloc may use to check
// it. The pointer analysis does the same (pointers/Wrappers.h).
//
// A copy shares the variables and checks of its original. Where another one of them is active
// already, because of a call through a pointer, its call is not followed (Analyser::callOne).
// Functions that call themselves by name, also through others, have no copies: there would be one
// for each way down.
#ifndef FATHOM_STATICS_TRANSLATE_WRAPPERCOPIES_H
#define FATHOM_STATICS_TRANSLATE_WRAPPERCOPIES_H

#include "statics/translate/Translator.h"

namespace fathom::statics {

/// Gives calls of wrappers their copies, as far as their number goes.
///
/// \param calls  of functions of the program by their name.
/// \param made   by heap object: where it is allocated.
/// Cost: linear in the code that is copied.
void copyWrappers(ModuleTranslator &module, const std::vector<NamedCall> &calls,
                  const llvm::DenseMap<abstract::ObjectId, const llvm::CallBase *> &made);

} // namespace fathom::statics
#endif
