// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SarifDocument.h"

#include "report/Version.h"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

namespace fathom::report {

void writeSarif(llvm::json::OStream &json, const SarifRun &run) {
  json.object([&] {
    json.attribute("$schema", kSarifSchema);
    json.attribute("version", kSarifVersion);
    json.attributeArray("runs", [&] {
      json.object([&] {
        json.attributeObject("tool", [&] {
          json.attributeObject("driver", [&] {
            json.attribute("name", "fathom");
            json.attribute("semanticVersion", kVersion);
            if (run.rules) json.attributeArray("rules", run.rules);
          });
        });
        if (run.members) run.members();
        json.attribute("columnKind", "utf16CodeUnits");
        json.attributeArray("results", run.results);
      });
    });
  });
}

void writeSarifRule(llvm::json::OStream &json, evidence::BugKind kind, llvm::StringRef text) {
  json.object([&] {
    json.attribute("id", evidence::name(kind));
    json.attributeObject("shortDescription", [&] { json.attribute("text", text); });
    json.attribute("helpUri", fmt::format("https://cwe.mitre.org/data/definitions/{}.html",
                                          evidence::cwe(kind)));
    json.attributeObject("properties", [&] {
      json.attributeArray("tags", [&] {
        json.value("security");
        json.value(fmt::format("external/cwe/cwe-{:03}", evidence::cwe(kind)));
      });
    });
  });
}

std::string fileUri(const std::string &path) {
  std::string out = !path.empty() && path[0] == '/' ? "file://" : "";
  for (unsigned char c : path)
    out += isalnum(c) || strchr("/-_.~+", c) ? std::string(1, static_cast<char>(c))
                                             : fmt::format("%{:02X}", c);
  return out;
}

} // namespace fathom::report
