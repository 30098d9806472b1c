// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/contact_dynamics.hpp"

#include "contact/friction_tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

/// Gap rates below this part of vs are rounding, or not to be seen in any result.
constexpr double kSlow = 1e-10;
/// Gaps below so many times their rounding are closed.
constexpr double kTogether = 10.0;

}  // namespace

void ContactView::resize(int m, int t) {
  const auto contacts = static_cast<std::size_t>(m);
  const auto tangents = static_cast<std::size_t>(t);
  gap.assign(contacts, 0.0);
  for (auto* v : {&U, &F, &a}) v->assign(contacts + tangents, 0.0);
  c.assign(tangents, 0.0);
}

ContactDynamics::ContactDynamics(contact::Mechanism& mechanism, const contact::FrictionRows& rows,
                                 const Compliant& law)
    : law_(law),
      mechanism_(mechanism),
      contacts_(rows.friction.size()),
      friction_(rows, law.regularisation_velocity),
      integrator_(*this) {
  if (law.tension == Compliant::Tension::Allow) friction_.allow_tension();
  const int t = rows.tangential();
  const std::size_t count = rows.friction.size();
  now_.resize(m(), t);
  stage_.resize(m(), t);
  scratch_.loaded.assign(count, 0);
  scratch_.impulses.assign(static_cast<std::size_t>(t), 0.0);
  decision_.resize(m(), t);
  scratch_.margins.assign(count, 1.0);
  scratch_.state.assign(static_cast<std::size_t>(size()), 0.0);
  integrator_.resize(size());
}

void ContactDynamics::resume(const FrictionMemory& memory) {
  set_friction_scales();
  look(integrator_.time(), integrator_.state(), now_);
  friction_.resume(memory, mechanism_.mobility());
  refresh();
}

void ContactDynamics::set_friction_scales() {
  friction_.set_scales({.speed = units_.speed,
                        .time = units_.time,
                        .tolerance = units_.tolerance,
                        .instant = 10.0 * integrator_.shortest()});
}

// --------------------------------------------------------------------------------- right-hand side

bool ContactDynamics::look(double time, const double* y, ContactView& view, bool all) {
  for (int i = 0; i < m(); ++i) scratch_.loaded[i] = contact(i).touching() ? 1 : 0;
  if (!mechanism_.look(time, y, scratch_.loaded.data(), all, view.gap.data(), view.U.data()))
    return false;
  bool finite = true;
  for (int i = 0; i < m(); ++i) {
    if (contact(i).touching() && contact(i).law.depends_on_mass()) {
      contact(i).law.set_mass(mechanism_.effective_mass(i));
    }
    view.F[i] = force(i, view.gap[i], view.U[i]);
    finite = finite && std::isfinite(view.F[i]) && std::isfinite(view.U[i]);
  }
  if (!friction_.any() || !finite) return finite;
  double* f = view.F.data() + m();
  if (friction_.any_sticks()) {
    if (!mechanism_.frozen()) friction_.move_to(mechanism_.mobility());
    mechanism_.drive(view.F.data(), view.c.data());
  }
  friction_.forces(view.F.data(), view.U.data() + m(), view.c.data(), f);
  return true;
}

int ContactDynamics::undefined() const {
  for (int i = 0; i < m(); ++i) {
    for (const ContactView* view : {&now_, &stage_}) {
      if (!std::isfinite(view->F[i]) || !std::isfinite(view->U[i])) return i;
    }
  }
  return -1;
}

bool ContactDynamics::slope(double time, double* y, double* out) {
  ++evaluations_;
  if (!look(time, y, stage_, false) || !mechanism_.slope(stage_.F.data(), out)) return false;
  std::copy(stage_.F.begin(), stage_.F.end(), out + impulse());
  for (int i = 0; i < m(); ++i) out[work() + i] = -stage_.F[i] * stage_.U[i];
  if (!friction_.any()) return true;
  double* loss = out + friction_loss();
  std::fill_n(loss, m(), 0.0);
  friction_.add_losses(stage_.F.data() + m(), stage_.U.data() + m(), 1.0, loss);
  return std::all_of(loss, loss + m(), [](double power) { return std::isfinite(power); });
}

double ContactDynamics::norm(const double* error) {
  double largest = mechanism_.norm(error, integrator_.step());
  for (int k = work(); k < friction_loss(); ++k) {
    largest = std::max(largest, std::abs(error[k]) / units_.energy);
  }
  // What sticks does no work: its forces may be large, and its velocities are rounding.
  for (int i = 0; i < m() && friction_.any(); ++i) {
    if (friction_.sticks(i)) continue;
    largest = std::max(largest, std::abs(error[friction_loss() + i]) / units_.energy);
  }
  return largest / units_.tolerance;
}

bool ContactDynamics::refresh() {
  double* y = integrator_.state();
  if (!look(integrator_.time(), y, now_)) return false;
  if (!friction_.decides()) return true;
  if (!mechanism_.slope(now_.F.data(), scratch_.state.data())) return false;
  mechanism_.accelerations(scratch_.state.data(), now_.a.data());
  return true;
}

double ContactDynamics::lost(int i) const {
  const double* y = integrator_.state();
  return y[work() + i] - stored(i, now_.gap[i]) + (friction_.any() ? y[friction_loss() + i] : 0.0);
}

double ContactDynamics::longest_step() {
  if (!friction_.decides()) return std::numeric_limits<double>::infinity();
  return friction_.longest_step(now_.U.data() + m(), now_.a.data() + m());
}

// ------------------------------------------------------------------- sliding that is slow to begin

bool ContactDynamics::stiff() {
  if (!friction_.decides()) return false;
  return friction_.stiff(now_.F.data(), now_.U.data() + m(), now_.a.data() + m(), stiff_);
}

void ContactDynamics::stiff_frame(Matrix& B, Matrix& C) {
  const auto rank = static_cast<Eigen::Index>(2 * stiff_.size());
  B.setZero(size(), rank);
  C.setZero(rank, size());
  Vector row(size());
  for (std::size_t s = 0; s < stiff_.size(); ++s) {
    for (int d = 0; d < 2; ++d) {
      const auto column = static_cast<Eigen::Index>(2 * s) + d;
      const int k = friction_.rows().row(stiff_[s]) + d;
      std::fill(scratch_.impulses.begin(), scratch_.impulses.end(), 0.0);
      scratch_.impulses[static_cast<std::size_t>(k)] = 1.0;
      friction_.respond(scratch_.impulses.data());
      mechanism_.respond(scratch_.impulses.data(), B.col(column).data());
      row.setZero();
      mechanism_.sense(k, row.data());
      C.row(column) = row.transpose();
    }
  }
}

void ContactDynamics::stiff_part(Matrix& D) {
  friction_.turning(stiff_, stage_.F.data(), stage_.U.data() + m(), D);
}

/// What tangents that turn do to sliding velocities.
void ContactDynamics::stiff_drift(const double* slope, Vector& c) {
  mechanism_.accelerations(slope, stage_.a.data());
  Vector row(size());
  for (std::size_t s = 0; s < stiff_.size(); ++s) {
    for (int d = 0; d < 2; ++d) {
      const int k = friction_.rows().row(stiff_[s]) + d;
      row.setZero();
      mechanism_.sense(k, row.data());
      c[static_cast<Eigen::Index>(2 * s) + d] =
          stage_.a[m() + k] - row.dot(Eigen::Map<const Vector>(slope, size()));
    }
  }
}

// ------------------------------------------------------------------------------------------ events

bool ContactDynamics::prepare_guards() {
  watches_.clear();
  const double rest = rest_rate();
  for (int i = 0; i < m(); ++i) {
    const double U = now_.U[i];
    contact(i).watches(law_.tension, [&](Change change) {
      const bool report = change == Change::CompressionEnd || change == Change::Recompress;
      if (report && std::abs(U) < rest) return;
      watches_.push_back({.contact = i, .change = change});
    });
    // A gap that might close and open again within a step is looked at where it is smallest.
    const double reach = 2.0 * std::abs(U) * integrator_.next_step();
    const bool apart = contact(i).mode == CompliantContact::Mode::Apart;
    if (apart && U < -slow() && now_.gap[i] < reach) {
      watches_.push_back({.contact = i, .change = Change::Pass});
    }
    if (!friction_.decides() || !friction_.rows().acts(i) || !contact(i).touching()) continue;
    const bool unseen = friction_.slides(i) && friction_.rows().size(i) == 2 &&
                        law_.tension == Compliant::Tension::Clamp;
    if (!unseen) watches_.push_back({.contact = i, .change = Change::Friction});
  }
  return true;
}

void ContactDynamics::evaluate_guards(double time, const double* y, double* g, int which) {
  // Where a step has led to, contacts have been looked at.
  const bool known = y == integrator_.state() && !integrator_.restarted();
  // Gaps, and what rounding leaves of them, of open contacts too.
  const bool all = which < 0 || watched(which).change != Change::Friction;
  if (!known && !look(time, y, stage_, all)) {
    std::fill_n(g, watches_.size(), 1.0);
    return;
  }
  const ContactView& view = known ? now_ : stage_;
  const bool friction = std::any_of(watches_.begin(), watches_.end(), [](const ContactWatch& w) {
    return w.change == Change::Friction;
  });
  if (friction) {
    friction_.guards(view.F.data(), view.U.data() + m(), view.c.data(), view.F.data() + m(),
                     scratch_.margins.data());
  }
  for (std::size_t k = 0; k < watches_.size(); ++k) {
    const int i = watches_[k].contact;
    const Change change = watches_[k].change;
    if (change == Change::Friction) {
      const bool waits =
          std::isinf(friction_.rows().mu(i)) && friction_.mode(i).kind == FrictionMode::Kind::Off;
      g[k] = waits ? view.gap[i] + least_indentation() : scratch_.margins[i];
      continue;
    }
    // What moves along with what it touches neither opens nor closes by rounding.
    const bool leaves = change == Change::Reopen || change == Change::Release;
    const double sign = leaves ? -1.0 : change == Change::Close ? 1.0 : 0.0;
    g[k] = contact(i).watch(change, view.gap[i] + sign * mechanism_.gap_noise(i),
                            view.U[i] + sign * mechanism_.rate_noise(i));
    // Without a load it has no curve to unload on: it goes back on that of loading.
    if (change == Change::Turn) g[k] = std::max(g[k], unloaded(i, view.gap[i]) / units_.time);
  }
}

double ContactDynamics::unarmed(int k) const {
  const ContactWatch& w = watches_[static_cast<std::size_t>(k)];
  return w.change == Change::Friction ? friction_.unarmed(w.contact, integrator_.time()) : 0.0;
}

auto ContactDynamics::late(int k, double g, double time) const -> Late {
  const ContactWatch& w = watches_[static_cast<std::size_t>(k)];
  if (w.change == Change::Pass) return Late::Ignore;
  if (w.change != Change::Friction) return Late::AtOnce;
  return friction_.late(w.contact, g, integrator_.time(), time);
}

int ContactDynamics::looks(double h) {
  constexpr int kLooks = 8;
  bool accelerated = false;  // stage_.a is known
  for (const ContactWatch& w : watches_) {
    const int i = w.contact;
    if (w.change == Change::Friction && friction_.sticks(i)) return kLooks;
    if (w.change == Change::Friction && friction_.slides(i) && friction_.rows().size(i) == 1) {
      // Sliding that stops and goes on within the step.
      const int row = friction_.rows().row(i);
      const double u = friction_.mode(i).direction[0];
      const double g0 = u * friction_.sliding(i, now_.U.data() + m())[0];
      const double g1 = u * friction_.sliding(i, stage_.U.data() + m())[0];
      const double d0 = h * u * now_.a[m() + row];
      if (!(g0 > 0.0 && g1 > 0.0 && g0 + d0 < 0.0)) continue;
      if (!accelerated) mechanism_.accelerations(integrator_.trial_slope(), stage_.a.data());
      accelerated = true;
      const double d1 = h * u * stage_.a[m() + row];
      if (numerics::may_dip_below_zero(g0, d0, g1, d1)) return kLooks;
    }
    if (w.change != Change::Close) continue;
    const double g0 = now_.gap[i];
    const double g1 = stage_.gap[i];
    const double U0 = now_.U[i];
    const double U1 = stage_.U[i];
    const double reach = 2.0 * h * std::max(std::abs(U0), std::abs(U1));
    const bool steady = U0 * U1 > 0.0 && g0 > 0.0 && g1 > 0.0;
    if (std::min(g0, g1) < reach && !steady) return kLooks;
  }
  return 1;
}

void ContactDynamics::accept(const double* before, double* after) {
  mechanism_.measure(after, true);
  friction_.share(before + impulse(), after + impulse());
}

// ----------------------------------------------------------------------------------------
// decisions

/// Adds tangential impulses, and what they take from the motion to the losses.
void ContactDynamics::add_impulses(const double* p) {
  double* y = integrator_.state();
  std::fill(scratch_.state.begin(), scratch_.state.end(), 0.0);
  mechanism_.respond(p, scratch_.state.data());
  friction_.add_losses(p, now_.U.data() + m(), 0.5, y + friction_loss());
  for (int k = 0; k < impulse(); ++k) y[k] += scratch_.state[k];
  for (int k = 0; k < tangential(); ++k) y[impulse() + m() + k] += p[k];
  refresh();
  friction_.add_losses(p, now_.U.data() + m(), 0.5, y + friction_loss());
}

/// What rounding would press contacts together in the moment that a decision looks ahead.
double ContactDynamics::least_indentation() const {
  return slow() * friction_.patience();
}

double ContactDynamics::slow() const {
  return kSlow * units_.speed;
}

double ContactDynamics::unloaded(int i, double gap) const {
  const double spent = contact(i).law.negligible_indentation(units_.speed);
  return gap + spent + kTogether * mechanism_.gap_noise(i);
}

/// What rounding would press together has no force.
double ContactDynamics::force_ahead(int i, double way, double U) const {
  const double gap = now_.gap[i] + way;
  return gap < -least_indentation() ? force(i, gap, U) : 0.0;
}

const std::vector<double>& ContactDynamics::respond(const double* F) {
  std::copy_n(F, m(), stage_.F.begin());
  mechanism_.drive(F, stage_.c.data());
  friction_.forces(F, now_.U.data() + m(), stage_.c.data(), stage_.F.data() + m());
  mechanism_.slope(stage_.F.data(), scratch_.state.data());
  mechanism_.accelerations(scratch_.state.data(), stage_.a.data());
  return stage_.a;
}

const double* ContactDynamics::drive(const double* F) {
  mechanism_.drive(F, now_.c.data());
  return now_.c.data();
}

void ContactDynamics::follow_jump(const std::vector<double>& before) {
  // What touched at rest is struck: its damping is that of its speed now.
  const double rest = contact::kGrip * slow();
  for (int i = 0; i < m(); ++i) {
    const bool rested = contact(i).touching() && !compressed(i) && std::abs(before[i]) <= rest;
    if (rested && now_.U[i] < -rest) close(i);
  }
  close_touching();
}

void ContactDynamics::close_touching(bool resting) {
  bool any = false;
  for (int i = 0; i < m(); ++i) {
    const bool apart = contact(i).mode == CompliantContact::Mode::Apart;
    const bool touches = now_.gap[i] <= kTogether * mechanism_.gap_noise(i);
    const bool rests = resting && now_.U[i] <= slow();
    if (!apart || !touches || !(rests || now_.U[i] < -slow())) continue;
    close(i);
    any = true;
  }
  if (!any) return;
  refresh();
  if (friction_.decides()) friction_.move_to(mechanism_.mobility());
  refresh();
}

bool ContactDynamics::decide() {
  if (!refresh()) return false;
  if (!friction_.decides()) return true;
  bool any = false;
  for (int i = 0; i < m(); ++i) any = any || (friction_.rows().acts(i) && contact(i).touching());
  if (!any) {
    for (int i = 0; i < m(); ++i) friction_.turn_off(i);
    return true;
  }
  set_friction_scales();
  friction_.move_to(mechanism_.mobility());
  refresh();
  if (!decision_.decide(*this, integrator_.time())) return false;
  if (friction_.again() > 0) {
    integrator_.set_next_step(std::min(integrator_.next_step(), friction_.soon()));
  }
  return true;
}

}  // namespace percute::laws

template class percute::numerics::HybridIntegrator<percute::laws::ContactDynamics>;
