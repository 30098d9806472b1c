// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Files compiled into the library (cmake/Embed.cmake), so that programs find them anywhere.
namespace percute::embedded {

// data/reference
std::string_view lzb_reference();
std::string_view laws_reference();
std::string_view chains_reference();
std::string_view motion_reference();
std::string_view bar_reference();

// examples/motion
std::string_view cradle_with_gravity();
std::string_view impacting_bar();
std::string_view rocking_block();
std::string_view v_groove_drop();

}  // namespace percute::embedded

namespace percute::reproduction {

/// A number that a case must give, and what was printed of it.
struct Expected {
  std::string name;                                ///< of the quantity: see quantities.cpp
  std::optional<double> value = {};                ///< what is right; none: for information
  double tolerance = 0.0;                          ///< of |computed − value|, absolute
  std::optional<double> published = {};            ///< as printed
  std::optional<double> published_tolerance = {};  ///< of |printed − computed|; none: none holds
  int decimals = 0;                                ///< printed after the point
  std::string shown = {};  ///< its name in the table, where that is another one: "x2"
  std::string label = {};  ///< where it was printed; empty: that of its case
  std::string note = {};   ///< why print differs; empty: that of its case
};

/// An impact, by the law of its file.
struct Impact {
  io::ProblemFile file = {};
  std::vector<double> instants = {};  ///< of "profile", s
  double curve_step = 0.0;            ///< s between the entries of `curve`
  Vector curve = {};                  ///< force at the wall from first touch on, N
};

/// Keys of a scene and their values: "simulation.step", 1e-7; null: taken out.
using Settings = std::vector<std::pair<std::string, io::Node>>;
void change(io::Document& document, const Settings& settings);

/// A scene of examples/motion that moves, with some of its keys set to other values.
struct Motion {
  std::string scene;  ///< "rocking_block.toml"
  Settings set = {};
  double first_swing = 0.0;  ///< s, start of the half swing 1 of "angle_1_1"
  double swing = 1.0;        ///< s, duration of each
};

/// How much of the admissible outcomes of an impact with two contacts a law can reach by varying
/// its parameters (handbook chapter 2024, Figs 6 and 7). Outcomes U⁺ = (x, y) |U⁻|_∞ with x, y ≥ 0,
/// p ≥ 0 and no energy gained are sorted into square cells of width 1/cells; those count whose
/// centre is admissible.
struct Coverage {
  /// Keys of the problem that take the same values together.
  struct Parameter {
    std::vector<std::string> keys;  ///< "contacts[0].restitution"
    std::vector<double> values;
  };

  io::Document problem;  ///< `percute-problem/1`, with its law
  std::vector<Parameter> vary;
  int cells = 20;
};

/// One impact, motion or law with all its numbers.
struct Case {
  std::string id;     ///< "N8", within its item
  std::string label;  ///< "N = 8"
  std::variant<Impact, Motion, Coverage> subject = {};
  std::string status = "ok";
  std::vector<Expected> expected = {};
  std::vector<std::vector<Expected>> one_of = {};  ///< where several outcomes are right, of each
  std::string note = {};                           ///< empty: that of its item
};

/// A number made from several cases of an item.
struct Relation {
  std::string id;
  std::string label;
  std::string op;                 ///< "least": see rows.cpp
  std::string of;                 ///< name of the number
  std::vector<std::string> over;  ///< ids of cases; empty: all that have the number
  Expected expected;
};

/// What `percute reproduce` does again under one name: a published impact, a table, a figure.
struct Item {
  std::string id;       ///< "lzb2008.table6.2to8", "laws.three_balls.moreau"
  std::string title;    ///< in lists
  std::string heading;  ///< above its rows: the title, for most with the source
  std::string source;   ///< "LZB 2008"; the data give the full citation
  std::string note = {};
  std::vector<Case> cases = {};
  std::vector<Relation> relations = {};
  std::vector<std::string> other_ids = {};  ///< of its cases, or under which values were printed
};

/// The items of a file of data/reference: "lzb" (impacts of the papers on that law), "laws"
/// (algebraic laws, and what they reach), "chains" (rows and columns of balls), "motion", "bar".
std::vector<Item> items_of(std::string_view file);

/// All of them.
std::vector<Item> all_items();

/// The items a word means, in order: one with exactly this id; else all whose id has it between
/// dots ("lzb2008.table6", "table6"); else all with such another id ("lzb2009.table6",
/// "laws.three_balls.moreau.e1"). Throws InvalidInput if there is none.
std::vector<Item> select(const std::vector<Item>& items, std::string_view word);

}  // namespace percute::reproduction
