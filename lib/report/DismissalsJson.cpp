// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Dismissals.h"
#include "report/Files.h"
#include "support/NumberText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::report {

namespace path = llvm::sys::path;

static constexpr int64_t kDismissalVersion = 1;

static llvm::Error wrongLine(const std::string &file, size_t line, const std::string &why) {
  return llvm::createStringError(fmt::format("{}:{}: {}", file, line, why));
}

static llvm::Expected<Dismissal> readLine(llvm::StringRef text, const std::string &file,
                                          size_t number) {
  for (const char *mark : {"<<<<<<<", "=======", ">>>>>>>"})
    if (text.starts_with(mark))
      return wrongLine(file, number,
                       "a conflict of git: keep the lines of both sides, and remove the marks");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return wrongLine(file, number, "not JSON; expected one object, as fathom dismiss writes it");
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object) return wrongLine(file, number, "no JSON object; expected one in each line");
  const auto version = object->getInteger("fathom");
  if (!version || *version != kDismissalVersion)
    return wrongLine(file, number,
                     version ? fmt::format("version {} of this file; this version of Fathom reads "
                                           "version {}",
                                           *version, kDismissalVersion)
                             : "no member \"fathom\"; expected a line of fathom dismiss");
  const auto member = [&](const char *key) { return object->getString(key).value_or("").str(); };
  Dismissal out;
  out.identity = {member("id"), member("place_hash"), member("code_hash")};
  uint64_t id = 0;
  if (!parseHex64(out.identity.id, id))
    return wrongLine(file, number, "\"id\" has not 16 hexadecimal digits");
  out.rule = member("rule");
  out.function = member("function");
  out.file = member("file");
  out.message = member("message");
  out.because = member("because");
  out.date = member("date");
  if (out.because.empty()) return wrongLine(file, number, "\"because\" is missing or empty");
  return out;
}

llvm::Expected<Dismissals> Dismissals::read(const std::string &path) {
  llvm::Expected<std::string> text = readFile(path, uint64_t(1) << 28);
  if (!text) return text.takeError();
  Dismissals out;
  out.path_ = path;
  size_t number = 0;
  for (llvm::StringRef rest = *text; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    number++;
    if (line.trim().empty()) continue;
    llvm::Expected<Dismissal> one = readLine(line.trim(), path, number);
    if (!one) return one.takeError();
    out.all_.push_back(std::move(*one));
  }
  // A merge may have left them in any order.
  std::ranges::sort(out.all_, {}, [](const Dismissal &d) { return d.identity.id; });
  return out;
}

std::string Dismissals::find(const std::vector<std::string> &folders) {
  for (const std::string &folder : folders) {
    llvm::SmallString<256> at(folder);
    if (llvm::sys::fs::make_absolute(at)) continue;
    path::remove_dots(at, /*remove_dot_dot=*/true);
    if (!llvm::sys::fs::is_directory(at)) path::remove_filename(at);
    for (; !at.empty(); at = path::parent_path(at)) {
      const std::string file = (at + "/" + kFileName).str();
      if (llvm::sys::fs::exists(file)) return file;
      if (llvm::sys::fs::exists(at + "/.git") || at == "/") break;
    }
  }
  return "";
}

llvm::Expected<Dismissals> Dismissals::forProgram(const std::string &option,
                                                  const std::vector<std::string> &places) {
  if (!option.empty()) return read(option);
  std::vector<std::string> folders = {"."};
  folders.insert(folders.end(), places.begin(), places.end());
  const std::string found = find(folders);
  return found.empty() ? llvm::Expected<Dismissals>(Dismissals()) : read(found);
}

DismissalMark Dismissals::judge(const Dismissible &what) const {
  const Identity &is = what.identity;
  const auto differs = [](const std::string &a, const std::string &b) {
    return !a.empty() && !b.empty() && a != b;
  };
  const auto equal = [](const std::string &a, const std::string &b) {
    return !a.empty() && a == b;
  };
  DismissalMark reopened;
  for (const Dismissal &d : all_) {
    const Identity &was = d.identity;
    const bool isSameId = was.id == is.id;
    if (isSameId ? !differs(was.code, is.code)
                 : equal(was.place, is.place) && equal(was.code, is.code) && d.rule == what.rule)
      return {Dismissed::Yes, d.because};
    if (isSameId)
      reopened = {Dismissed::Reopened, d.because};
    else if (reopened.state == Dismissed::No && d.rule == what.rule && !d.function.empty() &&
             d.function == what.function && differs(was.code, is.code) &&
             path::filename(d.file) == path::filename(what.file))
      reopened = {Dismissed::Similar, d.because};
  }
  return reopened;
}

std::vector<const Dismissal *> Dismissals::matching(const std::string &prefix) const {
  std::vector<const Dismissal *> out;
  for (const Dismissal &d : all_)
    if (d.identity.id.starts_with(prefix)) out.push_back(&d);
  return out;
}

std::vector<Dismissal> Dismissals::removeIf(const std::string &prefix) {
  std::vector<Dismissal> kept, removed;
  for (Dismissal &d : all_)
    (d.identity.id.starts_with(prefix) ? removed : kept).push_back(std::move(d));
  all_ = std::move(kept);
  return removed;
}

void Dismissals::add(Dismissal dismissal) {
  (void)removeIf(dismissal.identity.id);
  const auto at = std::ranges::lower_bound(all_, dismissal.identity.id, {},
                                           [](const Dismissal &d) { return d.identity.id; });
  all_.insert(at, std::move(dismissal));
}

llvm::Error Dismissals::write(const std::string &to) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Dismissal &d : all_) {
    llvm::json::OStream json(out);
    json.object([&] {
      json.attribute("fathom", kDismissalVersion);
      json.attribute("id", d.identity.id);
      json.attribute("rule", utf8(d.rule));
      json.attribute("file", utf8(d.file));
      json.attribute("function", utf8(d.function));
      json.attribute("because", utf8(d.because));
      json.attribute("date", d.date);
      json.attribute("message", utf8(d.message));
      if (!d.identity.place.empty()) json.attribute("place_hash", d.identity.place);
      if (!d.identity.code.empty()) json.attribute("code_hash", d.identity.code);
    });
    json.flush();
    out << '\n';
  }
  llvm::SmallString<256> folder(path::parent_path(to));
  llvm::Expected<Directory> directory =
      Directory::openOrCreate(folder.empty() ? "." : folder.str().str());
  if (!directory) return directory.takeError();
  return directory->replace(path::filename(to).str(), text);
}

void writeSuppressions(llvm::json::OStream &json, const DismissalMark &mark) {
  if (!mark.isDismissed()) return;
  json.attributeArray("suppressions", [&] {
    json.object([&] {
      json.attribute("kind", "external");
      json.attribute("justification", utf8("dismissed: " + mark.because));
    });
  });
}

std::string reopenedText(const DismissalMark &mark) {
  switch (mark.state) {
  case Dismissed::No: return "";
  case Dismissed::Yes: return fmt::format("dismissed: {}", mark.because);
  case Dismissed::Reopened:
    return fmt::format("was dismissed before, and its code has changed since: {}", mark.because);
  case Dismissed::Similar:
    return fmt::format("one of this kind in this function was dismissed before, and the code has "
                       "changed since: {}",
                       mark.because);
  }
  return "";
}

std::string dismissedCountText(size_t count) {
  return count ? fmt::format(" ({} dismissed)", grouped(static_cast<double>(count))) : "";
}

} // namespace fathom::report
