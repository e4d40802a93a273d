// SPDX-License-Identifier: MIT
// What the GPU libraries say, as part of reading the running system.
#pragma once

#include <chrono>

#include "cli/arguments.hpp"
#include "rocmtune/host.hpp"
#include "system/guard.hpp"

namespace rocmtune {

/// A source that leaves calls to workers and to the journal open: the guarded child has a second
/// for each answer, a worker may take ten. The process that guards it asks them afterwards.
class WithoutWorkers : public HostSource {
  public:
    explicit WithoutWorkers(HostSource& inner) : inner_(inner) {}

    Reply ask(Query const& query) override;
    std::optional<std::string> environment() override { return inner_.environment(); }
    std::string label() const override { return inner_.label(); }

  private:
    HostSource& inner_;
};

/// Asks the journal for what the kernel's ring buffer does not show, if that is `wanted`, and adds
/// the answer to `source`.
void answer_journal_call(GuardedSource& source, bool wanted, std::chrono::milliseconds budget);

/// Runs all workers, or says why not (--sources sysfs, --watch, a sleeping GPU without --wake), and
/// adds their answers to `source`. `host` is what is known without them, `budget` the time that is
/// left.
void answer_worker_calls(Arguments const& arguments, Host const& host, GuardedSource& source,
                         std::chrono::milliseconds budget);

}  // namespace rocmtune
