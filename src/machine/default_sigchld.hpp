// SPDX-License-Identifier: MIT
#pragma once

#include <signal.h>

namespace rocmtune {

/// While it lives, the kernel keeps the exit status of children: whoever ignores SIGCHLD, or was
/// started by a program that does, gets none.
class DefaultSigchld {
  public:
    DefaultSigchld() {
        struct sigaction plain {};
        plain.sa_handler = SIG_DFL;
        ::sigaction(SIGCHLD, &plain, &before_);
    }
    DefaultSigchld(DefaultSigchld const&) = delete;
    DefaultSigchld& operator=(DefaultSigchld const&) = delete;
    ~DefaultSigchld() { ::sigaction(SIGCHLD, &before_, nullptr); }

  private:
    struct sigaction before_ {};
};

}  // namespace rocmtune
