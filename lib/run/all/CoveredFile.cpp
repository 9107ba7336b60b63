// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/CoveredFile.h"

#include "report/Files.h"

namespace fathom::run {

llvm::Error writeCovered(const std::string &folder, const SharedParts &parts) {
  llvm::Expected<report::Directory> directory = report::Directory::openOrCreate(folder);
  if (!directory) return directory.takeError();
  return directory->replace("covered.json", report::jsonText([&](llvm::json::OStream &json) {
                              json.object([&] {
                                for (const Part part : {Part::Seeds, Part::Fuzz, Part::Explore})
                                  json.attributeArray(nameOf(part), [&] {
                                    for (uint32_t side = 0; side < parts.sides; side++)
                                      if (parts.coveredBy[side] & SharedParts::bit(part))
                                        json.value(static_cast<int64_t>(side));
                                  });
                              });
                            }));
}

void readCovered(const std::string &folder, SharedParts &parts) {
  llvm::Expected<llvm::json::Object> covered = report::readJsonObject(folder + "/covered.json");
  if (!covered) return llvm::consumeError(covered.takeError()); // it was killed early
  for (const Part part : {Part::Seeds, Part::Fuzz, Part::Explore})
    if (const llvm::json::Array *sides = covered->getArray(nameOf(part)))
      for (const llvm::json::Value &side : *sides)
        if (const auto number = side.getAsUINT64(); number && *number < parts.sides) {
          parts.cover(part, static_cast<uint32_t>(*number));
          parts.cover(Part::Seeds, static_cast<uint32_t>(*number));
        }
}

} // namespace fathom::run
