// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/invalid_input.hpp>

#include <string>

namespace percute::systems::testing {

/// Field named by the InvalidInput that `action` throws; "nothing thrown" if it does not.
template <class Action>
std::string field_refused(Action action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "nothing thrown";
}

/// Message of the InvalidInput that `action` throws.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace percute::systems::testing
