// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/ReportIdentity.h"

#include "confirm/SarifFile.h"
#include "report/JsonText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace fathom::confirm {

using llvm::json::Array;
using llvm::json::Object;
using report::Identity;
using report::TextHash;

std::string withoutNumbers(const std::string &text) {
  std::string out;
  for (const char c : text)
    if (!llvm::isDigit(c)) out += c;
  return out;
}

static const Object *firstOf(const Object *object, llvm::StringRef key) {
  const Array *array = object ? object->getArray(key) : nullptr;
  return array && !array->empty() ? (*array)[0].getAsObject() : nullptr;
}

std::string functionOf(const Object &result) {
  const Object *logical = firstOf(firstOf(&result, "locations"), "logicalLocations");
  const std::string name = textOf(logical, "name");
  return name.empty() ? textOf(logical, "fullyQualifiedName") : name;
}

Identity ReportIdentities::of(const Defect &defect, const Object *result) {
  Identity own;
  std::string function;
  if (result) {
    if (const Object *properties = result->getObject("properties"))
      own = report::readIdentity(*properties);
    const Object *prints = result->getObject("partialFingerprints");
    for (const char *name : {"fathomDefect/v1", "fathomStack/v3"})
      if (own.id.empty()) own.id = textOf(prints, name);
    function = functionOf(*result);
  }
  const Place &sink = defect.sink;
  if (code_ && own.place.empty())
    if (const std::string text = code_->line(sink.file, sink.line, sink.column); !text.empty())
      own.place = TextHash().mix(defect.rule).mix(text).text();
  if (code_ && own.code.empty())
    if (const std::string text = code_->around(sink.file, sink.line, function); !text.empty())
      own.code = TextHash().mix(text).text();
  if (!own.id.empty()) return own;
  const auto hash = [&](unsigned ordinal) {
    TextHash out;
    out.mix(defect.rule)
        .mix(withoutNumbers(defect.message))
        .mix(llvm::sys::path::filename(sink.file).str())
        .mix(function);
    if (ordinal) out.mix(std::to_string(ordinal));
    return out.text();
  };
  own.id = hash(0);
  if (const unsigned before = seen_[own.id]++) own.id = hash(before);
  return own;
}

std::vector<Identity> identitiesOf(const Batch &batch, report::SourceLines &sources) {
  report::SourceCode code(sources);
  std::vector<Identity> out;
  for (const auto &file : batch.files()) {
    ReportIdentities identities(&code);
    for (size_t i = 0; i < file->size(); ++i) {
      const llvm::json::Value value =
          file->sarif() ? report::parseJson(file->sarif()->result(i)) : nullptr;
      out.push_back(identities.of(batch.located(out.size()), value.getAsObject()));
    }
  }
  return out;
}

std::string ReportListing::notes(size_t i) const {
  std::string out;
  if (i < marks.size())
    if (const std::string text = report::reopenedText(marks[i]); !text.empty())
      out += fmt::format("    {}\n", text);
  if (how.showsIds && i < identities.size())
    out += fmt::format("    id {}\n", report::shownId(identities[i].id));
  return out;
}

ReportListing listingOf(const Batch &batch, report::SourceLines &sources,
                        const report::Dismissals &dismissals, const report::BugListing &how) {
  ReportListing out{identitiesOf(batch, sources), {}, how};
  if (dismissals.all().empty()) return out;
  for (size_t i = 0; i < batch.size(); ++i) {
    const Defect defect = batch.located(i);
    out.marks.push_back(dismissals.judge({out.identities[i], defect.rule, "", defect.sink.file}));
  }
  return out;
}

} // namespace fathom::confirm
