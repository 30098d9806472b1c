// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/suggest.hpp"
#include "io/text.hpp"

#include <percute/io/bar_cases.hpp>
#include <percute/io/chain_cases.hpp>
#include <percute/io/law_cases.hpp>
#include <percute/io/motion_cases.hpp>
#include <percute/io/reference_cases.hpp>
#include <percute/io/reference_items.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <iterator>
#include <memory>

namespace percute::io {

namespace {

ReferenceItem item_of(ReferenceCase reference) {
  ReferenceItem item{.id = reference.id, .title = reference.title, .reproduce = {}};
  for (const PublishedValues& printed : reference.published) item.other_ids.push_back(printed.id);
  item.reproduce = [kept = std::make_shared<const ReferenceCase>(std::move(reference))] {
    return reproduce(*kept);
  };
  return item;
}

ReferenceItem item_of(LawItem laws) {
  ReferenceItem item{.id = laws.id, .title = laws.title, .reproduce = {}};
  for (const LawCase& c : laws.cases) item.other_ids.push_back(c.id);
  for (const LawCoverage& c : laws.coverage) item.other_ids.push_back(c.id);
  item.reproduce = [kept = std::make_shared<const LawItem>(std::move(laws))] {
    return reproduce(*kept);
  };
  return item;
}

ReferenceItem item_of(ChainItem chains) {
  ReferenceItem item{.id = chains.id, .title = chains.title, .reproduce = {}};
  for (const ChainCase& c : chains.cases) item.other_ids.push_back(chains.id + "." + c.id);
  for (const ChainRelation& r : chains.relations) item.other_ids.push_back(chains.id + "." + r.id);
  item.reproduce = [kept = std::make_shared<const ChainItem>(std::move(chains))] {
    return reproduce(*kept);
  };
  return item;
}

ReferenceItem item_of(MotionItem motions) {
  ReferenceItem item{.id = motions.id, .title = motions.title, .reproduce = {}};
  for (const MotionCase& c : motions.cases) item.other_ids.push_back(motions.id + "." + c.id);
  item.reproduce = [kept = std::make_shared<const MotionItem>(std::move(motions))] {
    return reproduce(*kept);
  };
  return item;
}

ReferenceItem item_of(BarItem drops) {
  ReferenceItem item{.id = drops.id, .title = drops.title, .reproduce = {}};
  item.reproduce = [kept = std::make_shared<const BarItem>(std::move(drops))] {
    return reproduce(*kept);
  };
  return item;
}

// Whether `word` stands in `id` between dots: "table6" in "lzb2008.table6.2to8".
bool holds(std::string_view id, std::string_view word) {
  const std::string dotted = "." + std::string(id) + ".";
  return dotted.find("." + std::string(word) + ".") != std::string::npos;
}

// All that select() understands, whole ids first.
std::vector<std::string_view> words_for(std::span<const ReferenceItem> items) {
  std::vector<std::string_view> words;
  for (const ReferenceItem& item : items) words.push_back(item.id);
  for (const ReferenceItem& item : items) {
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
std::vector<ReferenceItem> filter(std::span<const ReferenceItem> items, Predicate keep) {
  std::vector<ReferenceItem> result;
  std::copy_if(items.begin(), items.end(), std::back_inserter(result), keep);
  return result;
}

}  // namespace

std::vector<ReferenceItem> reference_items() {
  std::vector<ReferenceItem> items;
  for (ReferenceCase& reference : reference_cases()) items.push_back(item_of(std::move(reference)));
  for (LawItem& laws : law_items()) items.push_back(item_of(std::move(laws)));
  for (ChainItem& chains : chain_items()) items.push_back(item_of(std::move(chains)));
  for (MotionItem& motions : motion_items()) items.push_back(item_of(std::move(motions)));
  for (BarItem& drops : bar_items()) items.push_back(item_of(std::move(drops)));
  return items;
}

std::vector<ReferenceItem> select(std::span<const ReferenceItem> items, std::string_view word) {
  auto found = filter(items, [&](const ReferenceItem& item) { return item.id == word; });
  if (found.empty()) {
    found = filter(items, [&](const ReferenceItem& item) { return holds(item.id, word); });
  }
  if (found.empty()) {
    found = filter(items, [&](const ReferenceItem& item) {
      return std::any_of(item.other_ids.begin(), item.other_ids.end(),
                         [&](const std::string& id) { return holds(id, word); });
    });
  }
  if (found.empty()) {
    throw InvalidInput("", "no published case is called '" + printable(word) + "'" +
                               did_you_mean(word, words_for(items)) +
                               "; percute reproduce --list shows all");
  }
  return found;
}

}  // namespace percute::io
