// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: thorough
// RUN: %fathom-c++ -std=c++23 %s -o %t && %differential --allow-ledger --status 3 %t
// The library: containers, strings, streams, regular expressions, threads, files, formats.
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <charconv>
#include <chrono>
#include <deque>
#include <filesystem>
#include <format>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <ranges>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
using namespace std;
int main() {
  vector<string> words{"pear", "apple", "a string that is longer than sixteen characters", "fig"};
  sort(words.begin(), words.end());
  for (auto &w : words) cout << setw(10) << left << w << '|' << w.size() << '\n';
  map<string, vector<int>> m;
  for (int i = 0; i < 10; i++) m[i % 2 ? "odd" : "even"].push_back(i);
  for (auto &[k, v] : m) cout << k << ' ' << accumulate(v.begin(), v.end(), 0) << '\n';
  unordered_map<string, int> um;
  for (auto &w : words) um[w]++;
  cout << um.size() << um.count("fig") << '\n';
  stringstream ss("12 3.5 word 0x1f");
  int i;
  double d;
  string w;
  ss >> i >> d >> w;
  ss >> hex >> i;
  cout << i << ' ' << d << ' ' << w << endl;
  cout << hex << 255 << dec << ' ' << fixed << setprecision(3) << 3.14159 << ' ' << scientific
       << 12345.678 << defaultfloat << '\n';
  regex r("([a-z]+)@([a-z]+)\\.com");
  smatch match;
  string text = "mail bob@example.com now";
  if (regex_search(text, match, r)) cout << match[1] << ' ' << match[2] << '\n';
  cout << regex_replace(string("a1b22"), regex("[0-9]+"), "#") << '\n';
  variant<int, string> v = "text"s;
  visit([](auto &x) { cout << x << '\n'; }, v);
  try {
    (void)get<int>(v);
  } catch (bad_variant_access &e) {
    cout << e.what() << '\n';
  }
  optional<int> o;
  cout << o.value_or(5) << '\n';
  try {
    (void)o.value();
  } catch (bad_optional_access &) {
    cout << "no value\n";
  }
  any a = 5;
  try {
    any_cast<string>(a);
  } catch (bad_any_cast &e) {
    cout << e.what() << '\n';
  }
  mt19937 gen(42);
  uniform_int_distribution<int> dist(1, 6);
  for (int k = 0; k < 5; k++) cout << dist(gen);
  cout << '\n';
  cout << format("{:>8}|{:<5}|{:x}|{:.2f}", "hi", 42, 255, 2.5) << '\n';
  auto even = views::iota(1, 20) | views::filter([](int x) { return x % 3 == 0; }) |
              views::transform([](int x) { return x * x; });
  for (int x : even) cout << x << ' ';
  cout << '\n';
  priority_queue<int> q;
  for (int x : {3, 9, 4}) q.push(x);
  cout << q.top() << '\n';
  list<int> l{5, 1, 4};
  l.sort();
  l.reverse();
  for (int x : l) cout << x;
  cout << '\n';
  bitset<10> b(37);
  cout << b << ' ' << b.count() << '\n';
  char buf[32];
  auto res = to_chars(buf, buf + 32, 0.1 + 0.2);
  cout << string_view(buf, res.ptr) << '\n';
  int parsed;
  from_chars("1234x", buf + 5, parsed);
  cout << stoi("77") + stod("1.25") << '\n';
  try {
    stoi("x");
  } catch (invalid_argument &e) {
    cout << e.what() << '\n';
  }
  vector<thread> ts;
  mutex mu;
  int total = 0;
  for (int k = 0; k < 3; k++)
    ts.emplace_back([&, k] {
      lock_guard g(mu);
      total += k;
    });
  for (auto &t : ts) t.join();
  cout << total << '\n';
  cout << filesystem::path("/a/b/../c.txt").lexically_normal().string() << ' '
       << filesystem::path("x.tar.gz").extension().string() << '\n';
  {
    ofstream f("out.txt");
    f << "line one\nline two\n";
  }
  ifstream f("out.txt");
  string line;
  while (getline(f, line)) cout << '[' << line << "]\n";
  cout << filesystem::exists("out.txt") << filesystem::file_size("out.txt") << '\n';
  filesystem::remove("out.txt");
  istringstream bad("zz");
  int z = 3;
  if (!(bad >> z)) cout << "fail " << z << '\n';
  bad.clear();
  bad.exceptions(ios::failbit);
  try {
    bad >> z;
  } catch (ios_base::failure &e) {
    cout << "ios\n";
  }
  set<int> s1{1, 2, 3}, s2{2, 3, 4};
  vector<int> inter;
  set_intersection(s1.begin(), s1.end(), s2.begin(), s2.end(), back_inserter(inter));
  cout << inter.size() << '\n';
  locale loc;
  cout << toupper('q', loc) << ' ' << quoted("a \"b\"") << '\n';
  wstring ws = L"wide";
  wcout << ws << endl;
  cout << boolalpha << true << ' ' << chrono::seconds(90) / chrono::minutes(1) << '\n';
  cerr << "to stderr" << endl;
  clog << "log\n";
  return 3;
}
