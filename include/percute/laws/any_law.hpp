// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>
#include <percute/model/options.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percute {

/// Any law, as a value: one of percute's, or your own, chosen at run time. It tells its kind, its
/// options and what it uses of the contacts.
///
///     AnyLaw law = laws::Newton{};
///     law = make_law("lzb");
///     ImpactResult result = resolve(problem, law);
///
/// A law of your own is known by more than its outcome if it has what percute's have: kKind, a list
/// of options fields(), validate(), title(), uses_friction(), uses_restitution().
class AnyLaw {
 public:
  AnyLaw() = default;  ///< no law: may not be applied
  template <class Law>
    requires(!std::same_as<Law, AnyLaw> && ImpactLaw<Law>)
  AnyLaw(Law law)  // NOLINT(google-explicit-constructor): it is one
      : law_(std::make_shared<Holding<Law>>(std::move(law))) {}

  explicit operator bool() const { return law_ != nullptr; }

  /// Name in files, "lzb"; "custom" for a law of your own that has none.
  std::string_view kind() const { return law_ ? law_->kind() : std::string_view(); }
  /// Kind and what matters most of the options: "lzb (tol 1e-9)".
  std::string title() const { return law_ ? law_->words() : std::string(); }
  std::optional<bool> uses_friction() const { return law_ ? law_->friction() : std::nullopt; }
  bool uses_restitution() const { return !law_ || law_->restitution(); }
  /// Whether it has an inner time, so that it can record.
  bool records() const { return law_ && law_->records(); }

  /// The law itself if it is of this type, otherwise nullptr.
  template <class Law>
  const Law* as() const {
    const auto* holding = dynamic_cast<const Holding<Law>*>(law_.get());
    return holding == nullptr ? nullptr : &holding->law;
  }

  /// Calls `visit` for each option in the order of files. It may change them; copies of this law
  /// keep theirs.
  void visit(const OptionVisitor& visit);
  /// Throws InvalidInput, naming the option, unless all options are in range.
  void check() const;

  ImpactResult operator()(const ImpactProblem& problem) const;
  /// Throws InvalidInput where the law has no inner time.
  ImpactResult operator()(const ImpactProblem& problem, const Recording& recording) const;

 private:
  struct Held {
    Held() = default;
    Held(const Held&) = default;
    Held& operator=(const Held&) = delete;
    virtual ~Held() = default;
    virtual std::shared_ptr<Held> copy() const = 0;
    virtual std::string_view kind() const = 0;
    virtual std::string words() const = 0;
    virtual std::optional<bool> friction() const = 0;
    virtual bool restitution() const = 0;
    virtual bool records() const = 0;
    virtual void visit(const OptionVisitor& visit) = 0;
    virtual void check() const = 0;
    virtual ImpactResult apply(const ImpactProblem& problem, const Recording* recording) const = 0;
  };
  template <class Law>
  struct Holding;

  const Held& held() const;

  std::shared_ptr<Held> law_;  ///< shared by copies until one changes its options
};
static_assert(RecordingLaw<AnyLaw>);

/// Why the friction of these contacts is left out, and of which: "the law newton has no friction
/// (contact 1–2)", "contacts 1–2, 2–3 have no tangents". Empty if it is not.
std::string friction_left_out(const AnyLaw& law, std::span<const Contact> contacts,
                              const std::vector<std::string>& names);

/// Kinds of percute's laws, as files name them.
std::vector<std::string_view> law_kinds();
/// The law of a kind with its default options; none if there is no such kind.
AnyLaw make_law(std::string_view kind);

// Implementation.

template <class Law>
std::string title_of(const Law& law, std::string_view kind) {
  if constexpr (requires { title(law); }) return title(law);
  return std::string(kind);
}

template <class Law>
struct AnyLaw::Holding final : Held {
  explicit Holding(Law value) : law(std::move(value)) {}

  std::shared_ptr<Held> copy() const override { return std::make_shared<Holding>(*this); }
  std::string_view kind() const override {
    if constexpr (requires { Law::kKind; }) return Law::kKind;
    return "custom";
  }
  std::string words() const override { return title_of(law, kind()); }
  std::optional<bool> friction() const override { return percute::uses_friction(law); }
  bool restitution() const override { return percute::uses_restitution(law); }
  bool records() const override { return RecordingLaw<Law>; }
  void visit(const OptionVisitor& visit) override {
    if constexpr (HasFields<Law>) visit_options(law, visit);
  }
  void check() const override {
    if constexpr (requires { validate(law); }) validate(law);
  }
  ImpactResult apply(const ImpactProblem& problem, const Recording* recording) const override {
    if constexpr (RecordingLaw<Law>) {
      if (recording != nullptr) return law(problem, *recording);
    }
    return law(problem);
  }

  Law law;
};

}  // namespace percute
