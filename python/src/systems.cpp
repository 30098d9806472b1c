// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/ball_cluster.hpp>
#include <percute/systems/block_stack.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/impacting_bar.hpp>
#include <percute/systems/multiple_pendulum.hpp>
#include <percute/systems/planar_body.hpp>
#include <percute/systems/spatial_body.hpp>
#include <percute/systems/sphere_chain.hpp>
#include <percute/systems/spinning_spheres.hpp>

#include <algorithm>

namespace percute::systems {

constexpr Names<BallChain::Wall, 4> names(BallChain::Wall) {
  return {{{"none", BallChain::Wall::None},
           {"left", BallChain::Wall::Left},
           {"right", BallChain::Wall::Right},
           {"both", BallChain::Wall::Both}}};
}
constexpr Names<ImpactingBar::Model, 2> names(ImpactingBar::Model) {
  return {{{"separate_springs", ImpactingBar::Model::SeparateSprings},
           {"parallel_springs", ImpactingBar::Model::ParallelSprings}}};
}
constexpr Names<RockingBlock::Corner, 2> names(RockingBlock::Corner) {
  return {{{"left", RockingBlock::Corner::Left}, {"right", RockingBlock::Corner::Right}}};
}

/// Members of a system, or of a part of one. Files have ways of their own to describe shapes and
/// materials; the others are options of files, and come from the list of fields().
template <class S>
void members(S& s, auto&& visit) {
  std::vector<const void*> in_files;
  if constexpr (HasFields<S>) {
    fields(s, [&](const Field&, auto& member) { in_files.push_back(&member); });
  }
  const auto other = [&](const Field& field, auto& member) {
    if (std::ranges::find(in_files, &member) == in_files.end()) visit(field, member);
  };
  if constexpr (requires { s.model; })
    other(Field{"model", "separate springs, or two parallel ones at each joint"}, s.model);
  if constexpr (requires { s.balls; }) other(Field{"balls", "how many", Range::count()}, s.balls);
  if constexpr (requires { s.positions; })
    other(Field{"positions", "of the centres at contact, one per ball", {}, "m"}, s.positions);
  if constexpr (requires { s.centres; })
    other(Field{"centres", "at contact, two points", {}, "m"}, s.centres);
  if constexpr (requires { s.places; })
    other(Field{"places", "of the balls along the rod, growing", {}, "m"}, s.places);
  if constexpr (requires { s.widths; })
    other(Field{"widths", "from below", Range::positive(), "m"}, s.widths);
  if constexpr (requires { s.heights; })
    other(Field{"heights", "one per block", Range::positive(), "m"}, s.heights);
  if constexpr (requires { s.offsets; })
    other(Field{"offsets", "x of the centres at contact; empty: all 0", {}, "m"}, s.offsets);
  if constexpr (requires { s.mass; })
    other(Field{"mass", "of each body", Range::positive(), "kg"}, s.mass);
  if constexpr (requires { s.masses; })
    other(Field{"masses", "one per body; empty: all have `mass`", Range::positive(), "kg"},
          s.masses);
  if constexpr (requires { s.radius; })
    other(Field{"radius", "of each ball, or of a disc about a point", Range::not_negative(), "m"},
          s.radius);
  if constexpr (requires { s.radii; })
    other(Field{"radii", "one per ball; empty: all have `radius`", Range::positive(), "m"},
          s.radii);
  if constexpr (requires { s.pressures; })
    other(Field{"pressures", "one per ball; empty: material has the stiffness", Range::positive(),
                "Pa"},
          s.pressures);
  if constexpr (requires { s.inertia; })
    other(Field{"inertia", "about the centre of mass, in axes of the body", {}, "kg m²"},
          s.inertia);
  if constexpr (requires { s.inertias; })
    other(Field{"inertias", "about x, y, z; empty: of a thin uniform plate", Range::positive(),
                "kg m²"},
          s.inertias);
  if constexpr (requires { s.inertia_factors; })
    other(Field{"inertia_factors", "β, I = β m r²: 0.4 of a solid sphere"}, s.inertia_factors);
  if constexpr (requires { s.feet; })
    other(Field{"feet", "from the centre; empty: the corners", {}, "m"}, s.feet);
  if constexpr (requires { s.height; })
    other(Field{"height", "of the centre above the feet", Range::not_negative(), "m"}, s.height);
  if constexpr (requires { s.position; })
    other(Field{"position", "of the centre of mass", {}, "m"}, s.position);
  if constexpr (requires { s.points; }) other(Field{"points", "one contact each"}, s.points);
  if constexpr (requires { s.gap; })
    other(Field{"gap", "left to the obstacle at contact", {}, "m"}, s.gap);
  if constexpr (HasFields<S>) fields(s, visit);
  if constexpr (requires { s.first; })
    other(Field{"first", "place of the first ball when all touch", {}, "m"}, s.first);
  if constexpr (requires { s.wall; })
    other(Field{"wall", "fixed at the ends; of a column, the material of its contact with it"},
          s.wall);
  if constexpr (requires { s.walls; }) other(Field{"walls", "fixed"}, s.walls);
  if constexpr (requires { s.obstacles; }) other(Field{"obstacles", "at least one"}, s.obstacles);
  if constexpr (requires { s.material; }) other(Field{"material", "of every contact"}, s.material);
  if constexpr (requires { s.materials; })
    other(Field{"materials", "one per contact; empty: all have `material`"}, s.materials);
  if constexpr (requires { s.names; })
    other(Field{"names", "one per body; empty: numbered"}, s.names);
  if constexpr (requires { s.excitation; })
    other(Field{"excitation", "vibration in the first bending mode at the start"}, s.excitation);
  if constexpr (requires { s.base; })
    other(Field{"base", "acceleration of what the system stands on; for motion"}, s.base);
  if constexpr (requires { s.horizontal; })
    other(Field{"horizontal", "positive to the right"}, s.horizontal);
  if constexpr (requires { s.vertical; }) other(Field{"vertical", "positive upwards"}, s.vertical);
}

}  // namespace percute::systems

namespace percute::python {

namespace {

using systems::AnySystem;

struct KnownSystem {
  nb::handle type;
  AnySystem (*moving)(nb::handle value);
};
std::vector<KnownSystem>& known_systems() {
  static auto& known = *new std::vector<KnownSystem>;
  return known;
}

/// Every system, also one that has contacts in a state only.
std::vector<nb::object (*)(const std::any&)>& makers() {
  static auto& made = *new std::vector<nb::object (*)(const std::any&)>;
  return made;
}

/// A cluster of balls has the contacts of where it is.
template <class S>
AnySystem as_system(const S& self, [[maybe_unused]] const State& state) {
  if constexpr (std::convertible_to<const S&, AnySystem>) {
    return self;
  } else {
    return self.touching(state.position);
  }
}

template <class S>
std::vector<Body> bodies_of(const S& self) {
  if constexpr (requires { self.bodies(); }) {
    return self.bodies();
  } else {
    return AnySystem(self).bodies();
  }
}

/// What all systems have.
template <class S>
nb::class_<S> bind_system(nb::module_& m, const char* name, const char* doc) {
  auto made = bind_fields<S>(m, name, "system", doc);
  made.def(
      "impact",
      [name](const S& self, const State& state) {
        const AnySystem any = as_system(self, state);
        return problem_of(any.impact(state), bodies_of(self), any.contact_names(state), name);
      },
      nb::arg("state"), sig("def impact(self, state: State) -> ImpactProblem"),
      "The impact that starts in this state.");
  made.def(
      "contact_names",
      [](const S& self, const State& state) {
        return to_python(as_system(self, state).contact_names(state));
      },
      nb::arg("state"), sig("def contact_names(self, state: State) -> list[str]"),
      "Of the contacts that are closed in this state.");
  made.def(
      "bodies", [](const S& self) { return value_to_python(bodies_of(self)); },
      sig("def bodies(self) -> list[Body]"), "Names of its parts.");
  makers().push_back([](const std::any& system) -> nb::object {
    const S* held = std::any_cast<S>(&system);
    return held == nullptr ? nb::none() : nb::cast(*held);
  });
  if constexpr (std::convertible_to<const S&, AnySystem>) {
    known_systems().push_back({.type = nb::type<S>(), .moving = [](nb::handle value) {
                                 return AnySystem(nb::cast<const S&>(value));
                               }});
  }
  return made;
}

void bind_balls(nb::module_& m) {
  using namespace systems;
  constexpr Overload kYes = Overload::Yes;
  auto chain = bind_system<BallChain>(
      m, "BallChain", "Balls on a line, each touching the next, with walls if wanted.");
  define(chain, "at_contact", taking<double, int>(&BallChain::at_contact), "speed, strikers=1",
         "All balls touching; the first `strikers` move at this speed [m/s].", kYes);
  define(chain, "at_contact", taking<const Vector&>(&BallChain::at_contact), "velocity",
         "All balls touching, with these velocities [m/s].", kYes);
  define(chain, "struck_at_both_ends", taking<double, int>(&BallChain::struck_at_both_ends),
         "speed, strikers=1", "Strikers come from both ends at this speed [m/s].");
  define(chain, "apart", &BallChain::apart, "gaps, velocity",
         "Apart by these gaps [m], with these velocities [m/s].");

  auto column = bind_system<BeadColumn>(m, "BeadColumn",
                                        "A column of equal beads that falls on a fixed wall.");
  define(column, "at_contact", taking<double>(&BeadColumn::at_contact), "speed",
         "Touching each other and the wall, all coming down at this speed [m/s].", kYes);
  define(column, "at_contact", taking<const Vector&>(&BeadColumn::at_contact), "velocity",
         "Touching each other and the wall, with these velocities [m/s].", kYes);
  define(column, "dropped_from", &BeadColumn::dropped_from, "height, g",
         "As they reach the wall after falling freely through a height [m].");
  define(column, "above", &BeadColumn::above, "height, velocity=0.0",
         "Touching each other, the lowest point at a height [m] above the wall.");

  auto stack = bind_system<StackedBalls>(
      m, "StackedBalls", "Balls on top of each other on a fixed floor, falling together.");
  define(stack, "at_contact", taking<double>(&StackedBalls::at_contact), "drop_speed",
         "Touching, all falling at this speed [m/s].", kYes);
  define(stack, "at_contact", taking<const Vector&>(&StackedBalls::at_contact), "velocity",
         "Touching, with these velocities upwards [m/s].", kYes);
  define(stack, "dropped_from", &StackedBalls::dropped_from, "height, gravity",
         "As they reach the floor after falling freely through a height [m].");

  auto ball = bind_system<BouncingBall>(m, "BouncingBall", "A ball above a floor, in free fall.");
  define(ball, "at", &BouncingBall::at, "height, velocity=0.0",
         "Its lowest point at a height [m], with a velocity upwards [m/s].");

  auto cradle =
      bind_system<Cradle>(m, "Cradle", "Newton's cradle: balls in a row, each on its string.");
  define(cradle, "at_contact", &Cradle::at_contact, "velocity",
         "All hanging down, with these velocities of the balls [m/s].");
  define(cradle, "at", &Cradle::at, "angles, rates",
         "Strings at these angles [rad], turning at these rates [rad/s].");

  bind_fields<PlaneWall>(m, "PlaneWall", "wall",
                         "A fixed wall of the plane. Balls are on the side `normal` points to.");
  auto cluster =
      bind_system<BallCluster>(m, "BallCluster", "Balls whose centres move in a plane, and walls.");
  define(cluster, "at_contact", taking<int, const Point&>(&BallCluster::at_contact),
         "striker, velocity", "At `positions`; ball `striker` (from 0) has this velocity [m/s].",
         kYes);
  define(cluster, "at_contact", taking<const std::vector<Point>&>(&BallCluster::at_contact),
         "velocities", "At `positions`, with these velocities, one (x, y) per ball [m/s].", kYes);
  define(m, "rack", &rack, "rows, radius",
         "Equal balls in a triangle, and a ball about to strike its apex along x.");
  define(m, "bernoulli", &bernoulli, "half_angle, radius, struck_radius",
         "Bernoulli's problem: ball 2 strikes balls 1 and 3 at once.");
  define(m, "four_balls", &four_balls, "half_angle, radius", "Four equal balls in a rhombus.");

  define(m, "sphere_mass", &sphere_mass, "density, radius", "Mass of a solid ball [kg].");
  define(m, "hertz_stiffness", &hertz_stiffness, "first, first_radius, second, second_radius",
         "K = (4/3) E* √R* [N/m^(3/2)]; an infinite radius is a plane.");
  define(m, "tapered_radii", &tapered_radii, "balls, first, taper",
         "Each ball smaller than the one before by the same part [m].");
  const auto sphere_chain =
      +[](const std::vector<double>& radii, const ElasticMaterial& made_of, double restitution) {
        SphereChain spheres{.radii = radii, .made_of = {made_of}};
        spheres.restitution = {restitution};
        return spheres.chain();
      };
  define(m, "sphere_chain", sphere_chain, "radii, made_of, restitution=1.0",
         "A BallChain of solid balls: masses and Hertz stiffnesses follow from what they are made "
         "of.");
}

void bind_spinning(nb::module_& m) {
  using namespace systems;
  auto sphere = bind_system<SphereOnPlane>(
      m, "SphereOnPlane", "A sphere that strikes a fixed plane, moving and spinning.");
  define(sphere, "at_contact", &SphereOnPlane::at_contact, "velocity, spin=(0, 0, 0)",
         "On the plane [m/s, rad/s].");
  auto spheres = bind_system<TwoSpheres>(
      m, "TwoSpheres", "Two spheres that strike each other, moving and spinning.");
  define(spheres, "at_contact", &TwoSpheres::at_contact, "velocities, spins=((0, 0, 0), (0, 0, 0))",
         "Touching; one row per sphere [m/s, rad/s].");
  auto chain = bind_system<RotatingChain>(m, "RotatingChain",
                                          "Balls in a row that also move sideways and spin.");
  define(chain, "at_contact", &RotatingChain::at_contact, "velocity",
         "All balls touching in a row, with these velocities.");
  define(chain, "struck_by", &RotatingChain::struck_by, "first", "Only the first ball moves.");
}

void bind_bodies(nb::module_& m) {
  using namespace systems;
  bind_fields<BodyPoint>(m, "BodyPoint", "point",
                         "A point of a planar body that touches a fixed obstacle.");
  auto body = bind_system<PlanarBody>(
      m, "PlanarBody",
      "A rigid body in the plane, touching fixed obstacles at any number of its points.");
  define(body, "at_contact", &PlanarBody::at_contact, "velocity",
         "All points touching; velocity (v_x, v_y, ω) [m/s, rad/s].");
  define(body, "at", &PlanarBody::at, "place, velocity", "Anywhere: (x, y, φ) [m, rad].");
  auto block = bind_system<RockingBlock>(
      m, "RockingBlock", "A rectangular block that stands on its two lower corners.");
  define(block, "at_contact", &RockingBlock::at_contact, "velocity",
         "Upright on both corners; velocity (v_x, v_y, ω) of the centre.");
  define(block, "rotating_about", &RockingBlock::rotating_about, "corner, angular_velocity",
         "Upright, at the end of a rotation about a corner [rad/s].");
  define(block, "tilted", &RockingBlock::tilted, "angle, angular_velocity=0.0",
         "Tilted about the corner that stays on the floor [rad, rad/s].");
  auto rod =
      bind_system<BallRod>(m, "BallRod", "Balls fixed to a straight rod that falls on a floor.");
  define(rod, "at_contact", &BallRod::at_contact, "velocity",
         "On the floor; velocity (v_x, v_y, ω) of the centre of mass.");
  define(rod, "above", &BallRod::above, "height, phi, velocity",
         "At an angle [rad], its lowest ball at a height [m] above the floor.");
  auto groove = bind_system<VGroove>(m, "VGroove",
                                     "A particle at the bottom of a groove with two plane walls.");
  define(groove, "at_contact", &VGroove::at_contact, "velocity",
         "At the bottom, with velocity (v_x, v_y) [m/s].");
  define(groove, "at", &VGroove::at, "position, velocity", "At a place (x, y) [m].");
  auto stack = bind_system<BlockStack>(m, "BlockStack",
                                       "Rectangular blocks on top of each other in a plane.");
  define(stack, "at_contact", &BlockStack::at_contact, "velocity",
         "Upright, all touching; velocities (v_x, v_y, ω) of every block.");
  define(stack, "falling", &BlockStack::falling, "speed",
         "Upright, falling together at this speed [m/s].");
  bind_fields<SpatialPoint>(m, "SpatialPoint", "point",
                            "A point of a body in space that touches a fixed obstacle.");
  auto spatial = bind_system<SpatialBody>(
      m, "SpatialBody",
      "A rigid body in space, touching fixed obstacles at any number of its points.");
  define(spatial, "at_contact", &SpatialBody::at_contact, "velocity",
         "All points touching; velocity (v_x, v_y, v_z, ω_x, ω_y, ω_z).");
  auto plate = bind_system<FourFootPlate>(
      m, "FourFootPlate", "A rigid plate that lies level on feet on a fixed floor.");
  define(plate, "at_contact", &FourFootPlate::at_contact, "velocity",
         "All feet on the floor; velocities (v_z, ω_x, ω_y), or six of a sliding plate.");
}

void bind_swinging(nb::module_& m) {
  using namespace systems;
  auto two = bind_system<DoublePendulum>(m, "DoublePendulum",
                                         "Two rods whose free end touches a floor, and a wall.");
  define(two, "at_contact", &DoublePendulum::at_contact, "rates",
         "Tip on the floor, and on the wall if there is one [rad/s].");
  define(two, "at", &DoublePendulum::at, "angles, rates",
         "Rods at these angles [rad], turning at these rates [rad/s].");
  bind_fields<PendulumObstacle>(m, "PendulumObstacle", "obstacle",
                                "A fixed half-plane that the end of one rod cannot enter.");
  auto many = bind_system<MultiplePendulum>(m, "MultiplePendulum",
                                            "Rods in a row whose ends strike floors and walls.");
  define(many, "at", &MultiplePendulum::at, "angles, rates",
         "Rods at these angles [rad], turning at these rates [rad/s].");
  bind_fields<ImpactingBar::Excitation>(
      m, "Excitation", "excitation", "Vibration of a bar in its first bending mode at the start.");
  auto bar = bind_system<ImpactingBar>(
      m, "ImpactingBar", "A slender bar with a hemispherical tip that falls on a floor.");
  define(bar, "start", &ImpactingBar::start, "",
         "Undeformed and falling, with the vibration asked for.");
  define(bar, "at_contact", &ImpactingBar::at_contact, "tip_velocity",
         "Undeformed, the tip touching the floor with this velocity [m/s].");
}

}  // namespace

nb::object system_to_python(const std::any& system) {
  for (const auto make : makers()) {
    if (nb::object made = make(system); !made.is_none()) return made;
  }
  return nb::none();
}

systems::AnySystem system_from_python(nb::handle value) {
  const nb::handle type = value.type();
  for (const KnownSystem& known : known_systems()) {
    if (known.type.is(type)) return known.moving(value);
  }
  return python_system(value);
}

void bind_systems(nb::module_& m) {
  m.def(
      "impact",
      [](nb::handle system, const State& state) {
        const AnySystem any = system_from_python(system);
        const auto n = static_cast<Eigen::Index>(any.coordinates());
        if (state.position.size() != n || state.velocity.size() != n) {
          throw InvalidInput("state",
                             "must have " + std::to_string(n) + " positions and velocities");
        }
        std::vector<Body> bodies = any.bodies();
        if (bodies.empty()) bodies = io::one_body_per_coordinate(n);
        return problem_of(any.impact(state), std::move(bodies), any.contact_names(state),
                          nb::cast<std::string>(system.type().attr("__name__")));
      },
      nb::arg("system"), nb::arg("state"),
      sig("def impact(system: Any, state: State) -> ImpactProblem"),
      "The impact that starts when a system, percute's or of your own, is in this state.");
  nb::module_ made = m.def_submodule("systems", "The systems: what exists and how it moves.");
  bind_fields<systems::BaseMotion>(made, "BaseMotion", "base",
                                   "Prescribed acceleration of the base that a system stands on.");
  bind_fields<systems::PlanarBaseMotion>(made, "PlanarBaseMotion", "base",
                                         "Motion of a base in the plane.");
  bind_balls(made);
  bind_spinning(made);
  bind_bodies(made);
  bind_swinging(made);
}

}  // namespace percute::python
