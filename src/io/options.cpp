// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/options.hpp"

#include "io/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

namespace percute::io {

namespace {

Matrix read_matrix(const Value& value) {
  Matrix matrix;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Vector row = value[i].numbers();
    if (i == 0) matrix.resize(static_cast<Eigen::Index>(value.size()), row.size());
    if (row.size() != matrix.cols()) {
      value[i].fail(fmt::format("must have {} like the first row, got {}", entries(matrix.cols()),
                                row.size()));
    }
    matrix.row(static_cast<Eigen::Index>(i)) = row.transpose();
  }
  return matrix;
}

/// Reads the value of one option into its member. Returns whether that changed it.
struct OptionReader {
  const Field& field;
  const Value& value;

  bool operator()(bool* member) const { return assign(*member, value.boolean()); }

  bool operator()(const IntegerOption& option) const {
    using Limits = std::numeric_limits<long>;
    const long number = value.integer(Limits::lowest(), Limits::max());
    refuse_outside(value, static_cast<double>(number), true);
    const bool changed = number != option.get(option.member);
    option.set(option.member, number);
    if (option.get(option.member) != number) value.fail("is too large, " + value.node().describe());
    return changed;
  }

  bool operator()(double* member) const { return assign(*member, number(value)); }

  bool operator()(std::optional<double>* member) const {
    return assign(*member, std::optional(number(value)));
  }

  bool operator()(std::string* member) const { return assign(*member, value.string()); }

  bool operator()(std::vector<double>* member) const {
    std::vector<double> list(value.size());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = number(value[i]);
    return assign(*member, list);
  }

  bool operator()(const NumbersOption& option) const {
    if (value.size() != option.count) {
      value.fail(fmt::format("must have {}, got {}",
                             entries(static_cast<Eigen::Index>(option.count)), value.size()));
    }
    bool changed = false;
    for (std::size_t i = 0; i < option.count; ++i) {
      changed = assign(option.first[i], number(value[i])) || changed;
    }
    return changed;
  }

  bool operator()(Vector* member) const {
    *member = value.numbers();
    return true;
  }

  bool operator()(Matrix* member) const {
    const auto* list = value.node().as<Node::Array>();
    if (field.diagonal && list == nullptr) {
      *member = Matrix::Constant(1, 1, number(value));
    } else if (!field.diagonal || (!list->empty() && list->front().as<Node::Array>() != nullptr)) {
      *member = read_matrix(value);
    } else {
      member->resize(static_cast<Eigen::Index>(list->size()), 1);
      for (std::size_t i = 0; i < list->size(); ++i) {
        (*member)(static_cast<Eigen::Index>(i), 0) = number(value[i]);
      }
    }
    return true;
  }

  bool operator()(const ChoiceOption& option) const {
    const std::size_t place = value.choice(option.words);
    const bool changed = place != option.get(option.member);
    option.set(option.member, place);
    return changed;
  }

  bool operator()(OtherForm*) const { return false; }

 private:
  template <class T>
  static bool assign(T& member, const T& read) {
    const bool changed = !(member == read);
    member = read;
    return changed;
  }

  void refuse_outside(const Value& from, double number, bool integer) const {
    const std::string reason = out_of_range(field.range, number, integer);
    if (!reason.empty()) from.fail(reason + (field.degrees ? " degrees" : ""));
  }

  double number(const Value& from) const {
    const double number = field.range.infinite ? from.number_or_infinite() : from.number();
    refuse_outside(from, number, false);
    return field.from_file(number);
  }
};

struct OptionWriter {
  const Field& field;

  using Written = std::optional<Node>;

  Written operator()(const bool* member) const { return *member; }
  Written operator()(const IntegerOption& option) const { return option.get(option.member); }
  Written operator()(const double* member) const {
    return infinite_or_number(field.to_file(*member));
  }
  Written operator()(const std::optional<double>* member) const {
    if (!*member) return {};
    return field.to_file(**member);
  }
  Written operator()(const std::string* member) const { return *member; }
  Written operator()(const std::vector<double>* member) const {
    return numbers(member->data(), member->size());
  }
  Written operator()(const NumbersOption& option) const {
    return numbers(option.first, option.count);
  }
  Written operator()(const Vector* member) const { return Node(*member); }
  Written operator()(const Matrix* member) const {
    if (member->size() == 0) return {};
    if (!field.diagonal || member->cols() > 1) return Node(*member);
    if (member->size() == 1) return infinite_or_number((*member)(0, 0));
    Node::Array list;
    for (const double entry : member->col(0)) list.push_back(infinite_or_number(entry));
    return list;
  }
  Written operator()(const ChoiceOption& option) const {
    const std::size_t place = option.get(option.member);
    return place < option.words.size() ? option.words[place] : "?";
  }
  Written operator()(const OtherForm*) const { return {}; }

 private:
  Written numbers(const double* first, std::size_t count) const {
    Node::Array list;
    for (std::size_t i = 0; i < count; ++i) list.emplace_back(field.to_file(first[i]));
    return list;
  }
};

}  // namespace

std::optional<Node> option_node(const Field& field, const Option& option) {
  return std::visit(OptionWriter{field}, option);
}

std::vector<std::string_view> option_keys(std::vector<std::string_view> first,
                                          const EachOption& each) {
  each([&first](const Field& field, const Option&) { first.push_back(field.key); });
  return first;
}

void read_options(const Table& table, const EachOption& each) {
  each([&table](const Field& field, const Option& option) {
    const bool effective = field.of.empty();
    const auto value = table.find(field.key);
    if (!value && field.required && effective) {
      table.value().fail(fmt::format("the key '{}' is missing: {}{}{}", field.key, field.doc,
                                     field.unit.empty() ? "" : ", ", field.unit));
    }
    if (!value) return;
    const bool changed = std::visit(OptionReader{field, *value}, option);
    if (!effective && (changed || field.required)) {
      value->fail(fmt::format("is used by {} only", field.of));
    }
  });
}

void add_options(Node& node, const EachOption& each, Absent absent, const EachOption& defaults) {
  each([&](const Field& field, const Option& option) {
    std::optional<Node> value = option_node(field, option);
    if (!field.of.empty() && defaults) {
      // Other values would be refused.
      value.reset();
      defaults([&](const Field& other, const Option& usual) {
        if (other.key == field.key && !field.required) value = option_node(other, usual);
      });
    }
    if (!value && absent == Absent::Null) value = Node();
    if (value) node.add(std::string(field.key), *std::move(value));
  });
}

Node infinite_or_number(double value) {
  return std::isinf(value) ? Node("inf") : Node(value);
}

}  // namespace percute::io
