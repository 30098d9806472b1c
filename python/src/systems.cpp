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

// Files describe systems in ways of their own; in Python they have the members of C++, which are
// listed here.

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

namespace {

constexpr Field kMass("mass", "of each", Range::positive(), "kg");
constexpr Field kRadius("radius", "of each", Range::positive(), "m");
constexpr Field kMasses("masses", "one per ball; empty: all equal to mass", Range::positive(),
                        "kg");
constexpr Field kRadii("radii", "one per ball; empty: all equal to radius", Range::positive(), "m");
constexpr Field kMaterial("material", "of every contact");
constexpr Field kMaterials("materials", "one per contact; empty: all equal to material");
constexpr Field kNames("names", "one per body; empty: numbered");
constexpr Field kWall("wall", "fixed walls at the ends");
constexpr Field kBase("base", "acceleration of what the system stands on; for motion");

}  // namespace

template <Same<PlanarBaseMotion> S>
void members(S& base, auto&& visit) {
  visit(Field{"horizontal", "positive to the right"}, base.horizontal);
  visit(Field{"vertical", "positive upwards"}, base.vertical);
}
template <Same<BallChain> S>
void members(S& chain, auto&& visit) {
  visit(Field{"balls", "how many", Range::count()}, chain.balls);
  visit(kMass, chain.mass);
  visit(kRadius, chain.radius);
  visit(kMaterial, chain.material);
  visit(kWall, chain.wall);
  visit(kMasses, chain.masses);
  visit(kRadii, chain.radii);
  visit(kMaterials, chain.materials);
  visit(kNames, chain.names);
  visit(Field{"first", "place of the first ball when all touch", {}, "m"}, chain.first);
  visit(Field{"gravity", "along the line, towards the left, for motion only", {}, "m/s²"},
        chain.gravity);
  visit(kBase, chain.base);
}
template <Same<BeadColumn> S>
void members(S& column, auto&& visit) {
  visit(Field{"beads", "how many", Range::count()}, column.beads);
  visit(kMass, column.mass);
  visit(kRadius, column.radius);
  visit(Field{"material", "of the contacts between beads"}, column.material);
  visit(Field{"wall", "of the contact of bead 1 with the wall"}, column.wall);
  visit(kGravity, column.gravity);
  visit(kBase, column.base);
}
template <Same<StackedBalls> S>
void members(S& stack, auto&& visit) {
  visit(Field{"masses", "from the lowest ball to the highest", Range::positive(), "kg"},
        stack.masses);
  visit(Field{"radii", "one per ball", Range::positive(), "m"}, stack.radii);
  visit(Field{"pressures", "one per ball; empty: material has the stiffness", Range::positive(),
              "Pa"},
        stack.pressures);
  visit(kMaterial, stack.material);
  visit(kMaterials, stack.materials);
  visit(kNames, stack.names);
}
template <Same<BouncingBall> S>
void members(S& ball, auto&& visit) {
  visit(kMass, ball.mass);
  visit(kGravity, ball.gravity);
  visit(Field{"radius", "for who draws the ball", Range::not_negative(), "m"}, ball.radius);
  visit(kMaterial, ball.material);
}
template <Same<Cradle> S>
void members(S& cradle, auto&& visit) {
  visit(Field{"balls", "how many", Range::count()}, cradle.balls);
  visit(kMass, cradle.mass);
  visit(kRadius, cradle.radius);
  visit(Field{"length", "from the pivot to the centre of the ball", Range::positive(), "m"},
        cradle.length);
  visit(Field{"spacing", "between neighbours that hang down", Range::not_negative(), "m"},
        cradle.spacing);
  visit(kGravity, cradle.gravity);
  visit(kMaterial, cradle.material);
  visit(kMasses, cradle.masses);
  visit(kMaterials, cradle.materials);
}
template <Same<BallCluster> S>
void members(S& cluster, auto&& visit) {
  visit(Field{"positions", "centres at contact, one per ball", {}, "m"}, cluster.positions);
  visit(kMass, cluster.mass);
  visit(kRadius, cluster.radius);
  visit(kMaterial, cluster.material);
  visit(kMasses, cluster.masses);
  visit(kRadii, cluster.radii);
  visit(Field{"walls", "fixed"}, cluster.walls);
  visit(kMaterials, cluster.materials);
  visit(kNames, cluster.names);
  visit(Field{"touch_tolerance", "largest gap, in radii"}, cluster.touch_tolerance);
}
template <Same<BlockStack> S>
void members(S& stack, auto&& visit) {
  visit(Field{"widths", "from below", Range::positive(), "m"}, stack.widths);
  visit(Field{"heights", "one per block", Range::positive(), "m"}, stack.heights);
  visit(Field{"masses", "one per block; uniform", Range::positive(), "kg"}, stack.masses);
  visit(Field{"offsets", "x of the centres at contact; empty: all 0", {}, "m"}, stack.offsets);
  visit(kMaterial, stack.material);
  visit(kMaterials, stack.materials);
  visit(kNames, stack.names);
}
template <Same<DoublePendulum> S>
void members(S& pendulum, auto&& visit) {
  visit(Field{"masses", "of the rods", Range::positive(), "kg"}, pendulum.masses);
  visit(Field{"lengths", "of the rods", Range::positive(), "m"}, pendulum.lengths);
  visit(Field{"angles", "of the rods at contact, from the vertical", {}, "rad"}, pendulum.angles);
  visit(Field{"wall", "on which side of the tip"}, pendulum.wall);
  visit(kMaterial, pendulum.material);
  visit(kMaterials, pendulum.materials);
  visit(kGravity, pendulum.gravity);
}
template <Same<MultiplePendulum> S>
void members(S& pendulum, auto&& visit) {
  visit(Field{"masses", "of the rods", Range::positive(), "kg"}, pendulum.masses);
  visit(Field{"lengths", "one per rod", Range::positive(), "m"}, pendulum.lengths);
  visit(Field{"obstacles", "at least one"}, pendulum.obstacles);
  visit(kGravity, pendulum.gravity);
  visit(kMaterial, pendulum.material);
  visit(kMaterials, pendulum.materials);
}
template <Same<BodyPoint> S>
void members(S& point, auto&& visit) {
  visit(Field{"at", "from the centre of mass, in axes of the body", {}, "m"}, point.at);
  visit(Field{"normal", "of the obstacle, towards the body"}, point.normal);
  visit(Field{"name", "of the contact"}, point.name);
  visit(Field{"radius", "of a disc about the point, which touches in its place", {}, "m"},
        point.radius);
  visit(Field{"gap", "left to the obstacle at contact", {}, "m"}, point.gap);
}
template <Same<PlanarBody> S>
void members(S& body, auto&& visit) {
  visit(Field{"mass", "of the body", Range::positive(), "kg"}, body.mass);
  visit(Field{"inertia", "about the centre of mass", Range::positive(), "kg m²"}, body.inertia);
  visit(Field{"points", "one contact each"}, body.points);
  visit(Field{"position", "of the centre of mass at contact", {}, "m"}, body.position);
  visit(Field{"angle", "of the body at contact", {}, "rad"}, body.angle);
  visit(kMaterial, body.material);
  visit(kMaterials, body.materials);
  visit(Field{"name", "of the body"}, body.name);
  visit(kGravity, body.gravity);
  visit(kBase, body.base);
}
template <Same<RockingBlock> S>
void members(S& block, auto&& visit) {
  visit(Field{"width", "b", Range::positive(), "m"}, block.width);
  visit(Field{"height", "h", Range::positive(), "m"}, block.height);
  visit(Field{"mass", "of the block", Range::positive(), "kg"}, block.mass);
  visit(Field{"inertia", "about the centre; none: uniform", Range::positive(), "kg m²"},
        block.inertia);
  visit(kMaterial, block.material);
  visit(kMaterials, block.materials);
  visit(kGravity, block.gravity);
  visit(kBase, block.base);
}
template <Same<BallRod> S>
void members(S& rod, auto&& visit) {
  visit(Field{"places", "of the balls along the rod, growing", {}, "m"}, rod.places);
  visit(Field{"masses", "one per ball", Range::positive(), "kg"}, rod.masses);
  visit(Field{"radii", "one per ball", Range::positive(), "m"}, rod.radii);
  visit(
      Field{"inertia", "about the centre of mass; none: of its balls", Range::positive(), "kg m²"},
      rod.inertia);
  visit(Field{"angle", "at contact; none: the first and the last ball lie on the floor", {}, "rad"},
        rod.angle);
  visit(kMaterial, rod.material);
  visit(kMaterials, rod.materials);
  visit(Field{"name", "of the body"}, rod.name);
  visit(kGravity, rod.gravity);
  visit(kBase, rod.base);
}
template <Same<VGroove> S>
void members(S& groove, auto&& visit) {
  visit(Field{"mass", "of the particle", Range::positive(), "kg"}, groove.mass);
  visit(Field{"opening", "between the walls", Range::between(0.0, 3.1415926535897931), "rad"},
        groove.opening);
  visit(kMaterial, groove.material);
  visit(kMaterials, groove.materials);
  visit(kGravity, groove.gravity);
}
template <Same<SpatialBody> S>
void members(S& body, auto&& visit) {
  visit(Field{"mass", "of the body", Range::positive(), "kg"}, body.mass);
  Matrix inertia = body.inertia;
  visit(Field{"inertia", "about the centre of mass, in axes of the body, 3 × 3", {}, "kg m²"},
        inertia);
  visit(Field{"points", "one contact each"}, body.points);
  visit(Field{"position", "of the centre of mass", {}, "m"}, body.position);
  visit(Field{"rotation", "at contact, a rotation vector", {}, "rad"}, body.rotation);
  visit(kMaterial, body.material);
  visit(kMaterials, body.materials);
  visit(Field{"name", "of the body"}, body.name);
  if constexpr (!std::is_const_v<S>) {
    if (inertia.rows() != 3 || inertia.cols() != 3) throw InvalidInput("inertia", "must be 3 × 3");
    body.inertia = inertia;
  }
}
template <Same<FourFootPlate> S>
void members(S& plate, auto&& visit) {
  visit(Field{"length", "along x", Range::positive(), "m"}, plate.length);
  visit(Field{"width", "along y", Range::positive(), "m"}, plate.width);
  visit(Field{"mass", "of the plate", Range::positive(), "kg"}, plate.mass);
  visit(Field{"inertias", "about x, y, z; empty: of a thin uniform plate", Range::positive(),
              "kg m²"},
        plate.inertias);
  visit(Field{"feet", "from the centre; empty: the corners", {}, "m"}, plate.feet);
  visit(Field{"sliding", "free to move along the floor"}, plate.sliding);
  visit(Field{"height", "of the centre above the feet", Range::not_negative(), "m"}, plate.height);
  visit(kMaterial, plate.material);
  visit(kMaterials, plate.materials);
}
template <Same<SphereOnPlane> S>
void members(S& sphere, auto&& visit) {
  visit(kMass, sphere.mass);
  visit(kRadius, sphere.radius);
  visit(Field{"inertia_factor", "β, I = β m r²: 0.4 of a solid sphere"}, sphere.inertia_factor);
  visit(Field{"normal", "of the plane, towards the sphere"}, sphere.normal);
  visit(kMaterial, sphere.material);
}
template <Same<TwoSpheres> S>
void members(S& spheres, auto&& visit) {
  visit(Field{"masses", "", Range::positive(), "kg"}, spheres.masses);
  visit(Field{"radii", "", Range::positive(), "m"}, spheres.radii);
  visit(Field{"inertia_factors", "β, I = β m r²: 0.4 of a solid sphere"}, spheres.inertia_factors);
  std::vector<Vector> centres{spheres.centres[0], spheres.centres[1]};
  visit(Field{"centres", "at contact, two points", {}, "m"}, centres);
  visit(kMaterial, spheres.material);
  if constexpr (!std::is_const_v<S>) {
    if (centres.size() != 2 || centres[0].size() != 3 || centres[1].size() != 3) {
      throw InvalidInput("centres", "must be two points of three numbers");
    }
    spheres.centres = {Eigen::Vector3d(centres[0]), Eigen::Vector3d(centres[1])};
  }
}
template <Same<RotatingChain> S>
void members(S& chain, auto&& visit) {
  visit(Field{"balls", "how many", Range::count()}, chain.balls);
  visit(kMass, chain.mass);
  visit(kRadius, chain.radius);
  visit(Field{"inertia_factor", "β, I = β m r²: 0.4 of a solid sphere"}, chain.inertia_factor);
  visit(Field{"spatial", "six coordinates per ball instead of three"}, chain.spatial);
  visit(kMaterial, chain.material);
  visit(kWall, chain.wall);
  visit(kMasses, chain.masses);
  visit(kRadii, chain.radii);
  visit(kMaterials, chain.materials);
  visit(kNames, chain.names);
}
template <Same<ImpactingBar> S>
void members(S& bar, auto&& visit) {
  visit(Field{"model", "separate springs, or two parallel ones at each joint"}, bar.model);
  visit(Field{"segments", "n", Range::closed(2.0, Range::kInfinity)}, bar.segments);
  visit(Field{"angle", "with the horizontal", {}, "rad"}, bar.angle);
  visit(Field{"length", "with the hemisphere", Range::positive(), "m"}, bar.length);
  visit(Field{"radius", "R", Range::positive(), "m"}, bar.radius);
  visit(Field{"density", "of the bar", Range::positive(), "kg/m³"}, bar.density);
  visit(Field{"young", "its modulus", Range::positive(), "Pa"}, bar.young);
  visit(Field{"gravity", "downwards", {}, "m/s²"}, bar.gravity);
  visit(Field{"tip_height", "y_0 at the start", {}, "m"}, bar.tip_height);
  visit(Field{"tip_velocity", "vertical, of the whole bar at the start", {}, "m/s"},
        bar.tip_velocity);
  visit(Field{"hemisphere_inertia", "2/5 μ R² as in the paper, or 83/320 μ R²"},
        bar.hemisphere_inertia);
  visit(Field{"excitation", "vibration in the first bending mode at the start"}, bar.excitation);
  visit(kMaterial, bar.material);
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

Vector numbers(nb::handle value) {
  Vector to;
  from_python(value, to);
  return to;
}
template <class Fixed>
Fixed fixed(nb::handle value) {
  Fixed to;
  numbers_from_python(value, to.data(), static_cast<std::size_t>(to.size()));
  return to;
}
bool is_number(nb::handle value) {
  return nb::isinstance<nb::float_>(value) || nb::isinstance<nb::int_>(value);
}

/// The signature of a function that gives a start: "at_contact(self, velocity: …)".
const char* start(const char* name, const char* arguments) {
  std::string text =
      std::string("def ") + name + "(self, " + arguments + ") -> percute._core.State";
  for (std::size_t at = text.find("Array"); at != std::string::npos; at = text.find("Array", at)) {
    text.replace(at, 5, kArrayLike);
    at += std::string_view(kArrayLike).size();
  }
  return keep(text);
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
      nb::arg("state"),
      nb::sig("def impact(self, state: percute._core.State) -> percute._core.ImpactProblem"),
      "The impact that starts in this state.");
  made.def(
      "contact_names",
      [](const S& self, const State& state) {
        return to_python(as_system(self, state).contact_names(state));
      },
      nb::arg("state"), nb::sig("def contact_names(self, state: percute._core.State) -> list[str]"),
      "Of the contacts that are closed in this state.");
  made.def(
      "bodies", [](const S& self) { return value_to_python(bodies_of(self)); },
      nb::sig("def bodies(self) -> list[percute._core.Body]"), "Names of its parts.");
  if constexpr (std::convertible_to<const S&, AnySystem>) {
    known_systems().push_back({.type = nb::type<S>(), .moving = [](nb::handle value) {
                                 return AnySystem(nb::cast<const S&>(value));
                               }});
  }
  return made;
}

void bind_balls(nb::module_& m) {
  using namespace systems;
  bind_system<BallChain>(m, "BallChain",
                         "Balls on a line, each touching the next, with walls if wanted.")
      .def(
          "at_contact",
          [](const BallChain& self, nb::handle moving, int strikers) {
            return is_number(moving) ? self.at_contact(nb::cast<double>(moving), strikers)
                                     : self.at_contact(numbers(moving));
          },
          nb::arg("moving"), nb::arg("strikers") = 1,
          nb::sig(start("at_contact", "moving: float | Array, strikers: int = 1")),
          "All balls touching; the first `strikers` move at this speed [m/s], or all as this array "
          "says.")
      .def(
          "struck_at_both_ends",
          [](const BallChain& self, double speed, int strikers) {
            return self.struck_at_both_ends(speed, strikers);
          },
          nb::arg("speed"), nb::arg("strikers") = 1,
          "Strikers come from both ends at this speed [m/s].")
      .def(
          "apart",
          [](const BallChain& self, nb::handle gaps, nb::handle velocity) {
            return self.apart(numbers(gaps), numbers(velocity));
          },
          nb::arg("gaps"), nb::arg("velocity"),
          nb::sig(start("apart", "gaps: Array, velocity: Array")),
          "Apart by these gaps [m], with these velocities [m/s].");
  bind_system<BeadColumn>(m, "BeadColumn", "A column of equal beads that falls on a fixed wall.")
      .def(
          "at_contact",
          [](const BeadColumn& self, nb::handle moving) {
            return is_number(moving) ? self.at_contact(nb::cast<double>(moving))
                                     : self.at_contact(numbers(moving));
          },
          nb::arg("moving"), nb::sig(start("at_contact", "moving: float | Array")),
          "Touching each other and the wall, all coming down at this speed [m/s], or as this array "
          "says.")
      .def("dropped_from", &BeadColumn::dropped_from, nb::arg("height"), nb::arg("g"),
           "As they reach the wall after falling freely through a height [m].")
      .def("above", &BeadColumn::above, nb::arg("height"), nb::arg("velocity") = 0.0,
           "Touching each other, the lowest point at a height [m] above the wall.");
  bind_system<StackedBalls>(m, "StackedBalls",
                            "Balls on top of each other on a fixed floor, falling together.")
      .def(
          "at_contact",
          [](const StackedBalls& self, nb::handle moving) {
            return is_number(moving) ? self.at_contact(nb::cast<double>(moving))
                                     : self.at_contact(numbers(moving));
          },
          nb::arg("moving"), nb::sig(start("at_contact", "moving: float | Array")),
          "Touching, all falling at this speed [m/s], or with these velocities.")
      .def("dropped_from", &StackedBalls::dropped_from, nb::arg("height"), nb::arg("gravity"),
           "As they reach the floor after falling freely through a height [m].");
  bind_system<BouncingBall>(m, "BouncingBall", "A ball above a floor, in free fall.")
      .def("at", &BouncingBall::at, nb::arg("height"), nb::arg("velocity") = 0.0,
           "Its lowest point at a height [m], with a velocity upwards [m/s].");
  bind_system<Cradle>(m, "Cradle", "Newton's cradle: balls in a row, each on its string.")
      .def(
          "at_contact",
          [](const Cradle& self, nb::handle velocity) {
            return self.at_contact(numbers(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "All hanging down, with these velocities of the balls [m/s].")
      .def(
          "at",
          [](const Cradle& self, nb::handle angles, nb::handle rates) {
            return self.at(numbers(angles), numbers(rates));
          },
          nb::arg("angles"), nb::arg("rates"), nb::sig(start("at", "angles: Array, rates: Array")),
          "Strings at these angles [rad], turning at these rates [rad/s].");
  bind_fields<PlaneWall>(m, "PlaneWall", "wall",
                         "A fixed wall of the plane. Balls are on the side `normal` points to.");
  bind_system<BallCluster>(m, "BallCluster", "Balls whose centres move in a plane, and walls.")
      .def(
          "at_contact",
          [](const BallCluster& self, nb::handle striker, nb::handle velocity) {
            if (!velocity.is_none()) {
              return self.at_contact(nb::cast<int>(striker), fixed<Point>(velocity));
            }
            std::vector<Point> all;
            value_from_python(striker, all, "velocities");
            return self.at_contact(all);
          },
          nb::arg("striker"), nb::arg("velocity") = nb::none(),
          nb::sig(start("at_contact", "striker: int | Array, velocity: Array | None = None")),
          "At `positions`; ball `striker` (from 0) has this velocity (x, y) [m/s], or each ball "
          "one of a list.");
  m.def("rack", &rack, nb::arg("rows"), nb::arg("radius"),
        "Equal balls in a triangle, and a ball about to strike its apex along x.");
  m.def("bernoulli", &bernoulli, nb::arg("half_angle"), nb::arg("radius"), nb::arg("struck_radius"),
        "Bernoulli's problem: ball 2 strikes balls 1 and 3 at once.");
  m.def("four_balls", &four_balls, nb::arg("half_angle"), nb::arg("radius"),
        "Four equal balls in a rhombus.");
  m.def("sphere_mass", &sphere_mass, nb::arg("density"), nb::arg("radius"),
        "Mass of a solid ball [kg].");
  m.def("hertz_stiffness", &hertz_stiffness, nb::arg("first"), nb::arg("first_radius"),
        nb::arg("second"), nb::arg("second_radius"),
        "K = (4/3) E* √R* [N/m^(3/2)]; an infinite radius is a plane.");
  m.def(
      "tapered_radii",
      [](int balls, double first, double taper) {
        return to_python(tapered_radii(balls, first, taper));
      },
      nb::arg("balls"), nb::arg("first"), nb::arg("taper"),
      nb::sig(keep(std::string("def tapered_radii(balls: int, first: float, taper: float) -> ") +
                   kArray)),
      "Each ball smaller than the one before by the same part [m].");
  m.def(
      "sphere_chain",
      [](nb::handle radii, const ElasticMaterial& made_of, double restitution) {
        SphereChain spheres{.radii = {}, .made_of = {made_of}};
        from_python(radii, spheres.radii);
        spheres.restitution = {restitution};
        return spheres.chain();
      },
      nb::arg("radii"), nb::arg("made_of"), nb::arg("restitution") = 1.0,
      nb::sig(
          keep(std::string("def sphere_chain(radii: ") + kArrayLike +
               ", made_of: percute._core.ElasticMaterial, restitution: float = 1.0) -> BallChain")),
      "A BallChain of solid balls: masses and Hertz stiffnesses follow from what they are made "
      "of.");
}

void bind_spinning(nb::module_& m) {
  using namespace systems;
  bind_system<SphereOnPlane>(m, "SphereOnPlane",
                             "A sphere that strikes a fixed plane, moving and spinning.")
      .def(
          "at_contact",
          [](const SphereOnPlane& self, nb::handle velocity, nb::handle spin) {
            return spin.is_none() ? self.at_contact(fixed<Eigen::Vector3d>(velocity))
                                  : self.at_contact(fixed<Eigen::Vector3d>(velocity),
                                                    fixed<Eigen::Vector3d>(spin));
          },
          nb::arg("velocity"), nb::arg("spin") = nb::none(),
          nb::sig(start("at_contact", "velocity: Array, spin: Array | None = None")),
          "On the plane [m/s, rad/s].");
  bind_system<TwoSpheres>(m, "TwoSpheres",
                          "Two spheres that strike each other, moving and spinning.")
      .def(
          "at_contact",
          [](const TwoSpheres& self, nb::handle velocities, nb::handle spins) {
            const auto pair = [](nb::handle given) {
              const auto rows = fixed<Eigen::Matrix<double, 3, 2>>(given);
              return TwoSpheres::Vectors{rows.col(0), rows.col(1)};
            };
            return spins.is_none() ? self.at_contact(pair(velocities))
                                   : self.at_contact(pair(velocities), pair(spins));
          },
          nb::arg("velocities"), nb::arg("spins") = nb::none(),
          nb::sig(start("at_contact", "velocities: Array, spins: Array | None = None")),
          "Touching; one row per sphere [m/s, rad/s].");
  bind_system<RotatingChain>(m, "RotatingChain", "Balls in a row that also move sideways and spin.")
      .def(
          "at_contact",
          [](const RotatingChain& self, nb::handle velocity) {
            return self.at_contact(numbers(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "All balls touching in a row, with these velocities.")
      .def(
          "struck_by",
          [](const RotatingChain& self, nb::handle first) {
            return self.struck_by(numbers(first));
          },
          nb::arg("first"), nb::sig(start("struck_by", "first: Array")),
          "Only the first ball moves.");
}

void bind_bodies(nb::module_& m) {
  using namespace systems;
  using Three = Eigen::Vector3d;
  bind_fields<BodyPoint>(m, "BodyPoint", "point",
                         "A point of a planar body that touches a fixed obstacle.");
  bind_system<PlanarBody>(
      m, "PlanarBody",
      "A rigid body in the plane, touching fixed obstacles at any number of its points.")
      .def(
          "at_contact",
          [](const PlanarBody& self, nb::handle velocity) {
            return self.at_contact(fixed<Three>(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "All points touching; velocity (v_x, v_y, ω) [m/s, rad/s].")
      .def(
          "at",
          [](const PlanarBody& self, nb::handle place, nb::handle velocity) {
            return self.at(fixed<Three>(place), fixed<Three>(velocity));
          },
          nb::arg("place"), nb::arg("velocity"),
          nb::sig(start("at", "place: Array, velocity: Array")), "Anywhere: (x, y, φ) [m, rad].");
  bind_system<RockingBlock>(m, "RockingBlock",
                            "A rectangular block that stands on its two lower corners.")
      .def(
          "at_contact",
          [](const RockingBlock& self, nb::handle velocity) {
            return self.at_contact(fixed<Three>(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "Upright on both corners; velocity (v_x, v_y, ω) of the centre.")
      .def(
          "rotating_about",
          [](const RockingBlock& self, nb::handle corner, double rate) {
            RockingBlock::Corner of{};
            value_from_python(corner, of, "corner");
            return self.rotating_about(of, rate);
          },
          nb::arg("corner"), nb::arg("angular_velocity"),
          nb::sig(start("rotating_about",
                        "corner: typing.Literal['left', 'right'], angular_velocity: float")),
          "Upright, at the end of a rotation about a corner [rad/s].")
      .def("tilted", &RockingBlock::tilted, nb::arg("angle"), nb::arg("angular_velocity") = 0.0,
           "Tilted about the corner that stays on the floor [rad, rad/s].");
  bind_system<BallRod>(m, "BallRod", "Balls fixed to a straight rod that falls on a floor.")
      .def(
          "at_contact",
          [](const BallRod& self, nb::handle velocity) {
            return self.at_contact(fixed<Three>(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "On the floor; velocity (v_x, v_y, ω) of the centre of mass.")
      .def(
          "above",
          [](const BallRod& self, double height, double phi, nb::handle velocity) {
            return self.above(height, phi, fixed<Three>(velocity));
          },
          nb::arg("height"), nb::arg("phi"), nb::arg("velocity"),
          nb::sig(start("above", "height: float, phi: float, velocity: Array")),
          "At an angle [rad], its lowest ball at a height [m] above the floor.");
  bind_system<VGroove>(m, "VGroove", "A particle at the bottom of a groove with two plane walls.")
      .def(
          "at_contact",
          [](const VGroove& self, nb::handle velocity) {
            return self.at_contact(fixed<Point>(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "At the bottom, with velocity (v_x, v_y) [m/s].")
      .def(
          "at",
          [](const VGroove& self, nb::handle position, nb::handle velocity) {
            return self.at(fixed<Point>(position), fixed<Point>(velocity));
          },
          nb::arg("position"), nb::arg("velocity"),
          nb::sig(start("at", "position: Array, velocity: Array")), "At a place (x, y) [m].");
  bind_system<BlockStack>(m, "BlockStack", "Rectangular blocks on top of each other in a plane.")
      .def(
          "at_contact",
          [](const BlockStack& self, nb::handle velocity) {
            return self.at_contact(numbers(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "Upright, all touching; velocities (v_x, v_y, ω) of every block.")
      .def("falling", &BlockStack::falling, nb::arg("speed"),
           "Upright, falling together at this speed [m/s].");
  bind_fields<SpatialPoint>(m, "SpatialPoint", "point",
                            "A point of a body in space that touches a fixed obstacle.");
  bind_system<SpatialBody>(
      m, "SpatialBody",
      "A rigid body in space, touching fixed obstacles at any number of its points.")
      .def(
          "at_contact",
          [](const SpatialBody& self, nb::handle velocity) {
            return self.at_contact(numbers(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "All points touching; velocity (v_x, v_y, v_z, ω_x, ω_y, ω_z).");
  bind_system<FourFootPlate>(m, "FourFootPlate",
                             "A rigid plate that lies level on feet on a fixed floor.")
      .def(
          "at_contact",
          [](const FourFootPlate& self, nb::handle velocity) {
            return self.at_contact(numbers(velocity));
          },
          nb::arg("velocity"), nb::sig(start("at_contact", "velocity: Array")),
          "All feet on the floor; velocities (v_z, ω_x, ω_y), or six of a sliding plate.");
}

void bind_swinging(nb::module_& m) {
  using namespace systems;
  bind_system<DoublePendulum>(m, "DoublePendulum",
                              "Two rods whose free end touches a floor, and a wall.")
      .def(
          "at_contact",
          [](const DoublePendulum& self, nb::handle rates) {
            return self.at_contact(fixed<Point>(rates));
          },
          nb::arg("rates"), nb::sig(start("at_contact", "rates: Array")),
          "Tip on the floor, and on the wall if there is one [rad/s].")
      .def(
          "at",
          [](const DoublePendulum& self, nb::handle start_angles, nb::handle rates) {
            return self.at(fixed<Point>(start_angles), fixed<Point>(rates));
          },
          nb::arg("angles"), nb::arg("rates"), nb::sig(start("at", "angles: Array, rates: Array")),
          "Rods at these angles [rad], turning at these rates [rad/s].");
  bind_fields<PendulumObstacle>(m, "PendulumObstacle", "obstacle",
                                "A fixed half-plane that the end of one rod cannot enter.");
  bind_system<MultiplePendulum>(m, "MultiplePendulum",
                                "Rods in a row whose ends strike floors and walls.")
      .def(
          "at",
          [](const MultiplePendulum& self, nb::handle angles, nb::handle rates) {
            return self.at(numbers(angles), numbers(rates));
          },
          nb::arg("angles"), nb::arg("rates"), nb::sig(start("at", "angles: Array, rates: Array")),
          "Rods at these angles [rad], turning at these rates [rad/s].");
  bind_fields<ImpactingBar::Excitation>(
      m, "Excitation", "excitation", "Vibration of a bar in its first bending mode at the start.");
  bind_system<ImpactingBar>(m, "ImpactingBar",
                            "A slender bar with a hemispherical tip that falls on a floor.")
      .def("start", &ImpactingBar::start, "Undeformed and falling, with the vibration asked for.")
      .def("at_contact", &ImpactingBar::at_contact, nb::arg("tip_velocity"),
           "Undeformed, the tip touching the floor with this velocity [m/s].");
}

}  // namespace

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
      nb::sig("def impact(system: typing.Any, state: State) -> ImpactProblem"),
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
