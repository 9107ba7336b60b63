// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libc++abi's cxa_exception.cpp, and the functions of unwind.h, which bitcode uses in place of the
// unwinder and of libc++abi's cxa_personality.cpp. They stand in one object, so that a program that
// has the one has the other; machine code does not call them.
#include "cxa_exception.cpp"

#include "ours-cxx/unwind.h"
#include "private_typeinfo.h"

#include <new>

using namespace __cxxabiv1;

bool __fathom_cxx_ends_by_report(); // default_handlers.cpp

__thread __fathom_cxx_region *__fathom_cxx_regions;
__thread _Unwind_Exception *__fathom_cxx_unwinding;

namespace {

__cxa_exception *headerOf(_Unwind_Exception *exception) {
  return reinterpret_cast<__cxa_exception *>(exception + 1) - 1;
}

void *thrownBy(_Unwind_Exception *exception) {
  if (__getExceptionClass(exception) != kOurDependentExceptionClass) return exception + 1;
  return reinterpret_cast<__cxa_dependent_exception *>(headerOf(exception))->primaryException;
}

const __shim_type_info *shim(const void *type) {
  return static_cast<const __shim_type_info *>(static_cast<const std::type_info *>(type));
}

bool isCatch(const __fathom_cxx_clause &clause) {
  return clause.count == kCatch || clause.count == kTerminate;
}

/// Does the clause stop this exception? \param object  as the handler gets it
bool stops(const __fathom_cxx_clause &clause, _Unwind_Exception *exception, void *&object) {
  if (!__isOurExceptionClass(exception)) // of another language: only `catch (...)` and `throw ()`
    return isCatch(clause) ? !clause.types : true;
  const auto *thrown = static_cast<const __shim_type_info *>(headerOf(exception)->exceptionType);
  if (isCatch(clause)) return !clause.types || shim(clause.types)->can_catch(thrown, object);
  for (int i = 0; i < clause.count; i++) {
    void *scratch = object;
    if (shim(static_cast<const void *const *>(clause.types)[i])->can_catch(thrown, scratch))
      return false;
  }
  return true;
}

} // namespace

extern "C" {

_Unwind_Reason_Code __fathom_cxx_raise(_Unwind_Exception *exception) {
  for (__fathom_cxx_region *region = __fathom_cxx_regions; region; region = region->outer)
    for (const __fathom_cxx_clause *clause = region->clauses; clause->count != kEnd; clause++) {
      if (clause->count == kBarrier) return _URC_END_OF_STACK;
      const bool ours = __isOurExceptionClass(exception);
      void *object = ours ? thrownBy(exception) : exception + 1;
      if (!stops(*clause, exception, object)) continue;
      // A report is to show where the exception was thrown. Only output of destructors in between
      // is lost.
      if (clause->count == kTerminate && __fathom_cxx_ends_by_report()) return _URC_END_OF_STACK;
      if (ours) { // what __cxa_begin_catch and __cxa_call_unexpected read
        __cxa_exception *header = headerOf(exception);
        header->handlerSwitchValue = clause->selector;
        header->actionRecord = nullptr;
        header->languageSpecificData = reinterpret_cast<const unsigned char *>(clause);
        header->catchTemp = nullptr;
        header->adjustedPtr = object;
      }
      region->selector = clause->selector;
      exception->private_1 = 0;
      exception->private_2 = reinterpret_cast<uintptr_t>(region);
      __fathom_cxx_unwinding = exception;
      return _URC_NO_REASON;
    }
  return _URC_END_OF_STACK;
}

int __fathom_cxx_land(__fathom_cxx_region *region) {
  _Unwind_Exception *exception = __fathom_cxx_unwinding;
  __fathom_cxx_unwinding = nullptr;
  const bool isHandler = region && exception->private_2 == reinterpret_cast<uintptr_t>(region);
  return isHandler ? static_cast<int>(region->selector) : 0;
}

void __fathom_cxx_delete(_Unwind_Exception *exception) {
  if (exception->exception_cleanup)
    exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

// There are no frames to show.
_Unwind_Reason_Code __fathom_cxx_backtrace(_Unwind_Trace_Fn, void *) { return _URC_END_OF_STACK; }

/// A function with `throw (types)` threw something else [except.unexpected]. What the handler of
/// unexpected exceptions throws instead is let through if one of the types catches it.
void __fathom_cxx_call_unexpected(void *unwound) {
  auto *exception = static_cast<_Unwind_Exception *>(unwound);
  const bool ours = __isOurExceptionClass(exception);
  __cxa_begin_catch(exception);
  std::unexpected_handler unexpected =
      ours ? headerOf(exception)->unexpectedHandler : std::get_unexpected();
  std::terminate_handler terminate =
      ours ? headerOf(exception)->terminateHandler : std::get_terminate();
  const auto *filter =
      ours
          ? reinterpret_cast<const __fathom_cxx_clause *>(headerOf(exception)->languageSpecificData)
          : nullptr;
  try {
    std::__unexpected(unexpected);
  } catch (...) {
    __cxa_eh_globals *globals = __cxa_get_globals_fast();
    __cxa_exception *other = globals->caughtExceptions;
    if (!other || !filter) std::__terminate(terminate);
    _Unwind_Exception *thrown = &other->unwindHeader;
    void *object = thrownBy(thrown);
    if (__isOurExceptionClass(thrown) && !stops(*filter, thrown, object)) {
      other->handlerCount = -other->handlerCount; // rethrown: the old one ends first
      globals->uncaughtExceptions += 1;
      __cxa_end_catch();
      __cxa_end_catch();
      __cxa_begin_catch(thrown);
      throw;
    }
    std::bad_exception substitute;
    object = &substitute;
    const auto *type = static_cast<const __shim_type_info *>(&typeid(std::bad_exception));
    for (int i = 0; i < filter->count; i++) {
      void *scratch = object;
      if (shim(static_cast<const void *const *>(filter->types)[i])->can_catch(type, scratch)) {
        __cxa_end_catch();
        __cxa_end_catch();
        throw std::bad_exception();
      }
    }
  }
  std::__terminate(terminate);
}

void __fathom_cxx_call_terminate(void *exception) {
  __cxa_begin_catch(exception);
  std::terminate();
}
}
