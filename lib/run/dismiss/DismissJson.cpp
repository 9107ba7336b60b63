// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Files.h"
#include "run/dismiss/Dismiss.h"

namespace fathom::run {

std::string dismissalsJson(const report::Dismissals &dismissals) {
  using report::utf8;
  return report::jsonText([&](llvm::json::OStream &json) {
    json.object([&] {
      json.attribute("file", utf8(dismissals.path()));
      json.attributeArray("dismissed", [&] {
        for (const report::Dismissal &d : dismissals.all())
          json.object([&] {
            json.attribute("id", d.identity.id);
            json.attribute("rule", utf8(d.rule));
            json.attribute("file", utf8(d.file));
            json.attribute("function", utf8(d.function));
            json.attribute("message", utf8(d.message));
            json.attribute("because", utf8(d.because));
            json.attribute("date", d.date);
          });
      });
    });
  });
}

} // namespace fathom::run
