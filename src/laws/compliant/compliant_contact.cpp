// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/compliant_contact.hpp"

namespace percute::laws {

double CompliantContact::watch(ContactChange change, double gap, double U) const {
  switch (change) {
    case ContactChange::Close:
      return gap;
    case ContactChange::Reopen:
      return -gap;
    case ContactChange::Release:
      return law.push(-gap, -U, memory);
    case ContactChange::Reload:
      return -law.push(-gap, -U, memory);
    case ContactChange::Turn:
    case ContactChange::CompressionEnd:
      return -U;
    case ContactChange::Recompress:
      return U;
    case ContactChange::Return:
      return memory.largest + gap;
    case ContactChange::Yield:
      return law.yield() + gap;
    case ContactChange::Pass:
      return -U;
    case ContactChange::Friction:
      break;
  }
  return 1.0;
}

void CompliantContact::apply(ContactChange change, double gap, double U, double minimum_speed) {
  switch (change) {
    case ContactChange::Close:
      memory = law.closed_at(-U, minimum_speed);
      mode = Mode::Touching;
      compressing = true;
      break;
    case ContactChange::Reopen:
      mode = Mode::Apart;
      break;
    case ContactChange::Release:
      mode = Mode::Released;
      break;
    case ContactChange::Reload:
      mode = Mode::Touching;
      compressing = U < 0.0;
      break;
    case ContactChange::Turn:
      law.turn(-gap, memory);
      compressing = false;
      break;
    case ContactChange::CompressionEnd:
      compressing = false;
      break;
    case ContactChange::Recompress:
      compressing = true;
      break;
    case ContactChange::Return:
      memory.branch =
          law.yields() ? ContactMemory::Branch::Plastic : ContactMemory::Branch::Loading;
      break;
    case ContactChange::Yield:
      memory.branch = ContactMemory::Branch::Plastic;
      break;
    case ContactChange::Pass:
    case ContactChange::Friction:
      break;
  }
}

}  // namespace percute::laws
