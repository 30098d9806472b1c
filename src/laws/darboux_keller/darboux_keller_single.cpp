// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/stages.hpp"
#include "laws/darboux_keller/contact_path.hpp"

#include <percute/laws/darboux_keller_single.hpp>

#include <numeric>
#include <string>

namespace percute::laws {

namespace {

/// Gradient and tangents of one contact as columns, tangents only where there is friction.
Matrix directions_of(const ImpactProblem& problem, std::size_t i) {
  const Contact& contact = problem.contacts[i];
  const bool slides = friction_acts(contact);
  Matrix H(problem.velocity.size(), 1 + (slides ? contact.directions : 0));
  H.col(0) = problem.gradients.col(static_cast<Eigen::Index>(i));
  if (slides) H.rightCols(contact.directions) = tangents_of(problem, i);
  return H;
}

/// `response` is M⁻¹ H.
ContactRows rows_of(const ImpactProblem& problem, std::size_t i, const ImpactScales& scale,
                    const Matrix& H, const Matrix& response) {
  // One normal and up to two tangential rows.
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
  const Rows A = H.transpose().lazyProduct(response);
  const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1> U =
      H.transpose().lazyProduct(problem.velocity);
  const Eigen::Index d = H.cols() - 1;
  ContactRows rows{.a = A(0, 0),
                   .tangents = static_cast<int>(d),
                   .friction = d > 0 ? problem.contacts[i].material.friction : 0.0,
                   .restitution = problem.contacts[i].material.restitution,
                   .U_n = U[0],
                   .speed = scale.velocity};
  rows.b.head(d) = A.col(0).tail(d);
  rows.C.topLeftCorner(d, d) =
      0.5 * (A.bottomRightCorner(d, d) + A.bottomRightCorner(d, d).transpose());
  rows.U_t.head(d) = U.tail(d);
  return rows;
}

std::string listed(const std::vector<std::size_t>& contacts) {
  std::string text;
  for (const std::size_t i : contacts) {
    text += (text.empty() ? "contacts[" : ", contacts[") + std::to_string(i) + "]";
  }
  return text;
}

/// The contact, other than `own`, that is driven together first, if any: U_j is linear in the
/// impulses, so the ends of straight pieces tell.
std::optional<std::size_t> disturbed(const ImpactProblem& problem, std::size_t own,
                                     const Matrix& response, const ContactPath& path,
                                     double tolerance) {
  if (problem.contacts.size() == 1) return {};
  const Matrix rates = problem.gradients.transpose() * response;
  const Vector before = problem.gradients.transpose() * problem.velocity;
  for (const Eigen::Vector3d& vertex : path.vertices()) {
    const Vector U = before + rates * vertex.head(response.cols());
    for (std::size_t j = 0; j < problem.contacts.size(); ++j) {
      if (j != own && U[static_cast<Eigen::Index>(j)] < -tolerance) return j;
    }
  }
  return {};
}

/// Contacts that start an impact.
std::vector<std::size_t> starting(const ImpactProblem& problem, const ImpactScales& scale,
                                  bool without_collision) {
  const Vector U = problem.gradients.transpose() * problem.velocity;
  std::vector<std::size_t> contacts;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const double u = U[static_cast<Eigen::Index>(i)];
    const bool approaches = u < -scale.gap_rate_tol;
    if (approaches) contacts.push_back(i);
    if (approaches || !without_collision || u > scale.gap_rate_tol) continue;
    const Matrix H = directions_of(problem, i);
    const bool drawn = rows_of(problem, i, scale, H, problem.mass.solve(H)).initial_slope() < 0.0;
    if (drawn) contacts.push_back(i);
  }
  return contacts;
}

ImpactResult left_alone(const ImpactProblem& problem, Status status, std::string reason) {
  ImpactResult result{.velocity = problem.velocity,
                      .impulse = Vector::Zero(static_cast<Eigen::Index>(problem.contacts.size()))};
  result.status = status;
  result.diagnostics.reason = std::move(reason);
  return result;
}

ImpactResult outcome(const ImpactProblem& problem, std::size_t i, const Matrix& response,
                     const ContactPath& path) {
  const auto k = static_cast<Eigen::Index>(i);
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  const Eigen::Index d = response.cols() - 1;
  ImpactResult result{.velocity = problem.velocity, .impulse = Vector::Zero(m)};
  Vector p(1 + d);
  p << path.end().p, path.end().p_t.head(d);
  result.velocity += response * p;
  result.impulse[k] = p[0];
  for (const Contact& contact : problem.contacts) {
    result.tangential_impulse.emplace_back(Vector::Zero(contact.directions));
  }
  if (d > 0) result.tangential_impulse[i] = p.tail(d);
  result.dissipated = Vector::Zero(m);
  result.dissipated_by_friction = Vector::Zero(m);
  result.dissipated[k] = path.end().loss - path.end().work;
  result.dissipated_by_friction[k] = path.end().loss;
  Diagnostics& diagnostics = result.diagnostics;
  diagnostics.tolerance = path.steps() > 0 ? 1e-12 : 0.0;
  diagnostics.evaluations = path.evaluations();
  diagnostics.steps = path.steps();
  diagnostics.rejected = path.rejected();
  diagnostics.phases = path.phases();
  diagnostics.events = static_cast<long>(path.phases().size());
  diagnostics.contacts.resize(problem.contacts.size());
  diagnostics.contacts[i].compressions = path.compressions();
  diagnostics.contacts[i].impacts = 1;
  return result;
}

ImpactResult solve(const ImpactProblem& problem, const DarbouxKellerSingle& law) {
  const ImpactScales scale = scales(problem);
  const std::vector<std::size_t> contacts = starting(problem, scale, law.impact_without_collision);
  if (contacts.empty()) return left_alone(problem, Status::NoImpact, "");
  if (contacts.size() > 1) {
    return left_alone(problem, Status::NotApplicable,
                      "the law covers one contact, and " + std::to_string(contacts.size()) +
                          " approach: " + listed(contacts));
  }
  const std::size_t i = contacts.front();
  const Matrix H = directions_of(problem, i);
  const Matrix response = problem.mass.solve(H);
  const ContactRows rows = rows_of(problem, i, scale, H, response);
  ContactPath path(rows, law.termination);
  const Status status = path.run();
  if (status == Status::NoSlipSolution) {
    return left_alone(problem, status,
                      "stopping the sliding of " + listed({i}) +
                          " alone separates it: infinite friction would act without pressure");
  }
  if (const auto j = disturbed(problem, i, response, path, scale.gap_rate_tol)) {
    return left_alone(problem, Status::NotApplicable,
                      "the law covers one contact, and the impact at " + listed({i}) + " drives " +
                          listed({*j}) + " together too");
  }
  ImpactResult result = outcome(problem, i, response, path);
  result.status = status;
  return result;
}

}  // namespace

ImpactResult DarbouxKellerSingle::operator()(const ImpactProblem& problem) const {
  require_restitution(problem);
  ImpactResult result = solve(problem, *this);
  for (const Contact& contact : problem.contacts) result.energy.stored += contact.stored_energy;
  return result;
}

}  // namespace percute::laws
