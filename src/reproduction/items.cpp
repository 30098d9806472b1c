// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"
#include "reproduction/case.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <iterator>

namespace percute::reproduction {

namespace {

// Whether `word` stands in `id` between dots: "table6" in "lzb2008.table6.2to8".
bool holds(std::string_view id, std::string_view word) {
  const std::string dotted = "." + std::string(id) + ".";
  return dotted.find("." + std::string(word) + ".") != std::string::npos;
}

// All that select() understands, whole ids first.
std::vector<std::string_view> words_for(const std::vector<Item>& items) {
  std::vector<std::string_view> words;
  for (const Item& item : items) words.push_back(item.id);
  for (const Item& item : items) {
    const std::string_view id = item.id;
    for (std::size_t dot = id.find('.'); dot != id.npos; dot = id.find('.', dot + 1)) {
      words.push_back(id.substr(0, dot));
      words.push_back(id.substr(dot + 1));
      words.push_back(id.substr(dot + 1, id.find('.', dot + 1) - dot - 1));
    }
  }
  return words;
}

template <class Predicate>
std::vector<Item> filter(const std::vector<Item>& items, Predicate keep) {
  std::vector<Item> result;
  std::copy_if(items.begin(), items.end(), std::back_inserter(result), keep);
  return result;
}

}  // namespace

std::vector<Item> all_items() {
  std::vector<Item> all;
  for (const auto items : {lzb_items, law_items, chain_items, motion_items, bar_items}) {
    std::ranges::move(items(), std::back_inserter(all));
  }
  return all;
}

std::vector<Item> select(const std::vector<Item>& items, std::string_view word) {
  auto found = filter(items, [&](const Item& item) { return item.id == word; });
  if (found.empty()) found = filter(items, [&](const Item& item) { return holds(item.id, word); });
  if (found.empty()) {
    found = filter(items, [&](const Item& item) {
      return std::ranges::any_of(item.other_ids,
                                 [&](const std::string& id) { return holds(id, word); });
    });
  }
  if (found.empty()) {
    throw InvalidInput("", "no published case is called '" + io::printable(word) + "'" +
                               io::did_you_mean(word, words_for(items)) +
                               "; percute reproduce --list shows all");
  }
  return found;
}

}  // namespace percute::reproduction
