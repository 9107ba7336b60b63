// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OptionModel.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "report/Files.h"
#include "report/Version.h"
#include "run/explore/SymbolicArguments.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <vector>

namespace fathom::tool {

namespace {

/// CLI11 has no place for the names of an option's values. They are stored as the description of a
/// validator that is switched off: CLI11 carries it along, and neither checks with it nor shows it.
constexpr const char *kValues = "values";

std::vector<std::string> splitNames(llvm::StringRef names) {
  std::vector<std::string> out;
  llvm::SmallVector<llvm::StringRef> parts;
  names.split(parts, ',');
  for (llvm::StringRef part : parts) {
    const auto [first, last] = part.split(" or ");
    for (llvm::StringRef name : {first.trim(), last.trim()})
      if (!name.empty()) out.push_back(name.str());
  }
  return out;
}

std::vector<std::string> valuesOf(CLI::Option &option) {
  try {
    CLI::Validator values = *option.get_validator(kValues);
    return splitNames(values.active().get_description());
  } catch (const CLI::OptionNotFound &) {
    // CLI::IsMember describes itself as {a,b}.
    const std::string type = option.get_type_name();
    const auto [name, members] = llvm::StringRef(type).split(":{");
    return splitNames(members.ends_with("}") ? members.drop_back() : llvm::StringRef());
  }
}

void writeOption(llvm::json::OStream &out, CLI::Option &option) {
  out.object([&] {
    out.attributeArray("names", [&] {
      for (const std::string &name : option.get_snames()) out.value("-" + name);
      for (const std::string &name : option.get_lnames()) out.value("--" + name);
    });
    const bool isFlag = option.get_items_expected_min() == 0;
    const std::string type = option.get_type_name();
    if (option.get_positional()) out.attribute("positional", option.get_name(/*positional=*/true));
    out.attribute("flag", isFlag);
    out.attribute("type", isFlag ? "" : type.substr(0, type.find(':')));
    out.attribute("help", report::utf8(option.get_description()));
    out.attribute("default", report::utf8(option.get_default_str()));
    out.attribute("required", option.get_required());
    out.attribute("many", option.get_items_expected_max() > 1 || option.get_allow_extra_args());
    out.attribute("group", option.get_group() == "Options" ? "" : option.get_group());
    out.attributeArray("values", [&] {
      for (const std::string &value : valuesOf(option)) out.value(value);
    });
  });
}

void writeCommand(llvm::json::OStream &out, CLI::App &app) {
  out.object([&] {
    out.attribute("name", app.get_name());
    out.attribute("help", report::utf8(app.get_description()));
    out.attribute("footer", report::utf8(app.get_footer()));
    out.attributeArray("options", [&] {
      for (CLI::Option *option : app.get_options())
        if (!option->get_group().empty()) writeOption(out, *option);
    });
    // These are taken out of the command line before CLI11 sees it.
    out.attributeArray("symbolic", [&] {
      if (llvm::StringRef(app.get_footer()).starts_with(run::kSymbolicHelp))
        for (const char *name : run::symbolicOptions()) out.value(name);
    });
    out.attributeArray("subcommands", [&] {
      for (CLI::App *own : app.get_subcommands({})) writeCommand(out, *own);
    });
  });
}

} // namespace

void withValues(CLI::App &app, const char *option, const std::string &names) {
  app.get_option(option)->check(CLI::Validator(names).name(kValues).active(false));
}

std::string describeKinds() {
  return report::jsonText([&](llvm::json::OStream &out) {
    out.array([&] {
      for (const evidence::BugKindRow &row : evidence::bugKindRows())
        out.object([&] {
          out.attribute("name", row.name);
          out.attribute("cwe", row.cwe);
          out.attribute("engine", row.isOfEngine);
          out.attribute("scan", row.scanRule != nullptr);
          if (row.condition) out.attribute("condition", row.condition);
        });
    });
  });
}

std::string describeLedger() {
  return report::jsonText([&](llvm::json::OStream &out) {
    out.array([&] {
      for (const evidence::LedgerCategoryRow &row : evidence::ledgerCategoryRows())
        if (!row.isOfConfirm)
          out.object([&] {
            out.attribute("name", row.name);
            out.attribute("sentence", row.sentence);
            out.attribute("assumption", row.isAssumption);
          });
    });
  });
}

std::string describeOptions(CLI::App &app) {
  return report::jsonText([&](llvm::json::OStream &out) {
    out.object([&] {
      out.attribute("version", report::kVersion);
      out.attributeBegin("command");
      writeCommand(out, app);
      out.attributeEnd();
    });
  });
}

} // namespace fathom::tool
