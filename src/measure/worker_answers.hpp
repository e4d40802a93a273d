// SPDX-License-Identifier: MIT
// What the GPU libraries say, as part of reading the running system.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "machine/guard.hpp"
#include "machine/worker.hpp"
#include "measure/host_input.hpp"

namespace rocmtune {

/// A source that leaves calls to workers, to the journal and to programs open: the guarded child
/// has a second for each answer, a worker may take ten. The process that guards it asks them
/// afterwards.
class WithoutWorkers : public HostSource {
  public:
    /// `asks_programs`: the inner source is one that may wait for them.
    WithoutWorkers(HostSource& inner, bool asks_programs)
        : inner_(inner), asks_programs_(asks_programs) {}

    Reply ask(Query const& query) override;
    std::optional<std::string> environment() override { return inner_.environment(); }
    std::string label() const override { return inner_.label(); }

  private:
    HostSource& inner_;
    bool asks_programs_;
};

/// What was read, and programs of the host for what was not (machine/host_commands.hpp).
class WithPrograms : public HostSource {
  public:
    /// `left` tells how much time there is. The database of rpm takes as long as all else; it is
    /// only asked if `asks_rpm`.
    WithPrograms(std::shared_ptr<GuardedSource> inner, bool asks_rpm,
                 std::function<std::chrono::milliseconds()> left)
        : inner_(std::move(inner)), asks_rpm_(asks_rpm), left_(std::move(left)) {}

    Reply ask(Query const& query) override;
    std::optional<std::string> environment() override { return inner_->environment(); }
    std::string label() const override { return inner_->label(); }

  private:
    std::shared_ptr<GuardedSource> inner_;
    bool asks_rpm_;
    std::function<std::chrono::milliseconds()> left_;
};

/// Asks the journal for what the kernel's ring buffer does not show, if that is `wanted`, and adds
/// the answer to `source`.
void answer_journal_call(GuardedSource& source, bool wanted, std::chrono::milliseconds budget);

/// Asks the libraries by workers, or says why not (--sources sysfs, --watch, a sleeping GPU without
/// --wake). While it lives, signals that ask this program to end wait (WorkerRun).
class LibraryQuestions {
  public:
    /// `left` tells how much time there is.
    LibraryQuestions(HostChoice const& choice, std::function<std::chrono::milliseconds()> left);

    /// Reads `source` to its end. HIP, the slowest, is loaded meanwhile, and asked together with
    /// the others as soon as that disturbs nothing that is still to be read. `seen` gives the GPUs
    /// that are known by then.
    void ask_beside(GuardedSource& source, std::function<Host()> const& seen);
    /// Adds the answers to `source`. `host` is what is known without them.
    void finish(GuardedSource& source, Host const& host);

  private:
    void go(Host const& host);

    HostChoice const& choice_;
    std::function<std::chrono::milliseconds()> left_;
    std::string refused_;  ///< the answer for all workers, if none may run
    std::optional<WorkerRun> run_;
    bool has_gone_ = false;
};

}  // namespace rocmtune
