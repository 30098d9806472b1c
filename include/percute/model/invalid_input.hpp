// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <stdexcept>
#include <string>

namespace percute {

/// The one exception of the library: data that no law could use. `field` is the path of the
/// offending value in the problem ("contacts[1].restitution"), `what()` adds the value and what is
/// allowed. A numerical outcome is never an exception: it is a Status in the result.
class InvalidInput : public std::invalid_argument {
 public:
  InvalidInput(std::string field, const std::string& reason);

  const std::string& field() const { return field_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string field_;
  std::string reason_;
};

}  // namespace percute
