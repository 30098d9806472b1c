// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/binary.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/laws/coulomb.hpp>
#include <percute/laws/cradle_sort.hpp>
#include <percute/laws/fremond.hpp>
#include <percute/laws/impact_law.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/moreau.hpp>
#include <percute/laws/newton.hpp>
#include <percute/laws/poisson.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/simultaneous_set.hpp>
#include <percute/laws/single_contact.hpp>
#include <percute/model/impact_history.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/ball_cluster.hpp>
#include <percute/systems/double_pendulum.hpp>
#include <percute/systems/four_foot_plate.hpp>
#include <percute/systems/planar_body.hpp>
#include <percute/systems/rocking_block.hpp>
#include <percute/systems/stacked_balls.hpp>
#include <percute/systems/v_groove.hpp>
#include <percute/version.hpp>
