// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/schema.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/model/elastic_material.hpp>
#include <percute/model/state.hpp>
#include <percute/systems/any_system.hpp>
#include <percute/systems/ball_chain.hpp>

#include <any>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Systems of scenes: one reader per kind, for one impact and for motion alike.

namespace percute::io {

/// Reads a scene: a named system ([system]) with its materials ([material], and [[contact]] for
/// single contacts) at the instant of contact ([start]), and the law to apply ([law]).
/// [simulation] is for runs in time and is left alone here. Throws FileError.
ProblemFile read_scene(const Document& document);

/// Where in a scene the field of a problem or of a system was given: "contacts[1].restitution" is
/// "material.restitution", "material.restitution[1]" or, where a [[contact]] has the name of
/// contact 1, "contact[0].restitution"; "velocity" is "start.velocity".
std::string scene_path(const std::string& problem_path, const Document& document,
                       const std::vector<std::string>& contact_names = {});

/// What a reader sees of a scene.
struct Scene {
  const Table& table;  ///< all of it
  Value system;        ///< [system]
  bool moves;          ///< in time: it starts anywhere, not at contact

  /// [start] with these keys.
  Table start(std::initializer_list<std::string_view> keys) const {
    return {table.required("start"), keys};
  }
  /// [start] with nothing but velocities.
  Value velocity() const { return start({"velocity"}).required("velocity"); }
};

/// A system of a scene, where and how it starts.
struct SceneSystem {
  systems::AnySystem system;  ///< contacts have the materials of the system itself
  State start;
  /// Keys of [system] that the file may leave out, with the values then taken; those it gives may
  /// be among them.
  Node defaults = {};
  std::string_view stiffness_from = {};         ///< what sets stiffnesses, if not [material]
  std::optional<double> first_bending_hz = {};  ///< of a bar
  std::any concrete = {};                       ///< the system as its own type, for who draws it
};

/// Reads [system] and [start]. Throws FileError, or InvalidInput with a field of the system, which
/// scene_path() finds in the scene.
using SceneReader = SceneSystem (*)(const Scene& scene);

/// What a kind of system can do in a scene: touch at one instant, move, or both.
enum class For { Impact, Motion, Both };

struct SceneKind {
  std::string_view name;
  For use;
  SceneReader read;
};
std::span<const SceneKind> ball_kinds();  ///< balls that do not spin
std::span<const SceneKind> body_kinds();  ///< all others

/// The reader of the kind that [system] names, for one impact or for motion. Throws FileError.
SceneReader find_scene_reader(const Value& system, bool moves);

/// The system of a scene that moves, with gravity and with the materials of all its contacts.
SceneSystem read_in_motion(const Table& scene, const AnyLaw& law);

// ------------------------------------------------------------------- materials and methods

/// Keys of a scene's `material`, which contacts of problems have, too.
inline constexpr auto kMaterialKeys = field_keys<Material>();

/// Looks up the value of a key; nothing if it was not given.
using MaterialKeys = std::function<std::optional<Value>(std::string_view)>;

/// `base` changed by the keys that are given. `owner` is blamed for keys that are missing.
Material read_material(const MaterialKeys& find, const Value& owner, const AnyLaw& law,
                       const Material& base = {});

/// Whether a key is written with a contact: slopes, exponents and parameters of forces are where
/// the law uses them.
bool is_written(std::string_view key, const Material& material, const AnyLaw& law);

/// The model of contacts that name none.
ContactModel contact_model(const AnyLaw& law);

/// The material of each contact: its own, changed by [material], changed by the [[contact]] of its
/// name. `stiffness_from` is what sets stiffness and exponent, if not [material].
std::vector<Material> read_materials(const Table& scene, const AnyLaw& law,
                                     const std::vector<std::string>& contact_names,
                                     std::vector<Material> own, std::string_view stiffness_from);
/// Refuses what no contact can have and, where `stiffness_from` says nothing, compliant contacts
/// without a stiffness: before there is a problem.
void check_materials(const Table& scene, const AnyLaw& law,
                     const std::vector<std::string>& contact_names,
                     const std::vector<Material>& materials, std::string_view stiffness_from);

/// The law of this name, with its defaults.
AnyLaw find_law(const Value& named);

// ------------------------------------------------------------------- tables by their fields

/// [system] with the fields of a system, and with other keys, which are left to be read.
template <class S>
Table read_system(const Value& value, S& system,
                  std::initializer_list<std::string_view> others = {}) {
  std::vector<std::string_view> keys = option_keys({"kind"}, options_of(system));
  keys.insert(keys.end(), others.begin(), others.end());
  Table table(value, keys);
  read_options(table, options_of(system));
  return table;
}

/// The system and the values that its fields have.
template <class S>
SceneSystem made(S system, const State& start) {
  SceneSystem result{.system = system, .start = start};
  if constexpr (HasFields<S>) add_options(result.defaults, options_of(system));
  result.concrete = std::move(system);
  return result;
}

/// More contact points than this on one body are refused: each is coupled with every other.
inline constexpr std::size_t kMaxPoints = 1000;

/// Refuses a list that has fewer or more entries, one per `per` ("point").
void require_size(const Value& list, std::string_view per, std::size_t least = 1,
                  std::size_t most = kMaxPoints);

/// Refuses a number of things, given by a key, that takes too long.
void require_at_most(const Table& table, std::string_view key, int count, long most);

/// A table that has the fields of T and no other.
template <class T>
T read_fields(const Value& value, T read = {}) {
  read_options(Table(value, option_keys({}, options_of(read))), options_of(read));
  return read;
}

/// What a reader makes of each entry of a list.
template <class Read>
auto each_of(const Value& list, const Read& read) {
  std::vector<std::remove_cvref_t<std::invoke_result_t<const Read&, const Value&>>> entries;
  entries.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) entries.push_back(read(list[i]));
  return entries;
}

/// A list of tables that have the fields of T and no other.
template <class T>
std::vector<T> read_list(const Value& list, std::string_view per, const T& usual = {},
                         std::size_t least = 1) {
  require_size(list, per, least);
  return each_of(list, [&usual](const Value& entry) { return read_fields<T>(entry, usual); });
}

/// 'base', if it is there.
void read_base(const Table& table, systems::BaseMotion& base);
void read_base(const Table& table, systems::PlanarBaseMotion& base);

// ------------------------------------------------------------------- numbers and points

/// As many numbers as wanted; `form` names them, "[vx, vy, omega]".
Vector read_numbers(const Value& value, Eigen::Index count, std::string_view form);
/// The same, zeros if the key is not there.
Vector read_numbers(const Table& table, std::string_view key, Eigen::Index count,
                    std::string_view form);
/// Rows of as many numbers, one row per `per`, one behind the other.
Vector read_rows(const Value& value, std::size_t count, Eigen::Index columns, std::string_view per,
                 std::string_view form);
inline systems::Point read_point(const Value& value) {
  return read_numbers(value, 2, "[x, y]");
}
inline std::vector<systems::Point> read_points(const Value& list) {
  return each_of(list, read_point);
}
inline Eigen::Vector3d read_vector(const Value& value) {
  return read_numbers(value, 3, "[x, y, z]");
}
/// A number of a range; `why` may say where that comes from: ": the column is above the wall".
double read_number(const Value& value, const Range& range, std::string_view why = "");
double read_positive(const Value& value);
double radians(double degrees);

// ------------------------------------------------------------------- balls in a row

/// More balls than this are refused, rather than tried until memory ends.
inline constexpr long kMaxBalls = 1'000'000;

/// How many things there are: the key 'balls', or else the length of the first of these lists that
/// is there.
int read_count(const Table& table, std::string_view thing, long most,
               std::initializer_list<std::string_view> lists);

/// A list with one entry per thing.
void require_per(const Value& list, int count, std::string_view thing = "ball");

/// One number per thing: `one` for all of them, or `list`; none if neither is there, where it need
/// not be.
std::vector<double> read_each(const Table& table, std::string_view one, std::string_view list,
                              int count, std::string_view thing = "ball", bool needed = true);

/// Masses from exactly one of 'mass', 'masses' and 'density' (then with the radii).
std::vector<double> read_masses(const Table& table, const std::vector<double>& radii);

/// Mass of a sphere. A radius whose cube is too small or too large for a number is refused as
/// `field`.
double mass_of_ball(double density, double radius, const std::string& field);

/// 'wall' at the ends of a row; true is one on the right, the place of walls in most studies of
/// chains.
systems::BallChain::Wall read_wall(const Table& table);

/// 'names', one per ball (or block); empty if the key is not there.
std::vector<std::string> read_names(const Table& table, int balls, std::string_view thing = "ball");

/// 'radii' of a [system] that are described, {pattern = "tapered", …}, rather than listed; nothing
/// if they are not. The number of balls is that of the [system], or that of the pattern.
std::optional<std::vector<double>> read_radii_pattern(const Table& system);

/// A material by its name, or {youngs_modulus, poisson_ratio, density}; the density may be missing
/// and is 0 then.
ElasticMaterial read_elastic(const Value& value);

/// One for all balls; or a list with one per ball; or {repeat = […]}, in turn along the balls. The
/// result has one entry, or one per ball.
std::vector<ElasticMaterial> read_made_of(const Value& value, int balls);

/// Refuses materials without a density where masses follow from it.
void require_density(const Value& value, const std::vector<ElasticMaterial>& materials);

}  // namespace percute::io
