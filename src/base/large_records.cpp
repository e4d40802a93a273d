// SPDX-License-Identifier: MIT
// What the compiler makes for records with hundreds of members: once here, not in each file that
// has one (1 to 3 s of compilation each).
#include "rocmtune/report.hpp"

namespace rocmtune {

Gpu::Gpu() = default;
Gpu::Gpu(Gpu const&) = default;
Gpu::Gpu(Gpu&&) noexcept = default;
Gpu& Gpu::operator=(Gpu const&) = default;
Gpu& Gpu::operator=(Gpu&&) noexcept = default;
Gpu::~Gpu() = default;

Host::Host() = default;
Host::Host(Host const&) = default;
Host::Host(Host&&) noexcept = default;
Host& Host::operator=(Host const&) = default;
Host& Host::operator=(Host&&) noexcept = default;
Host::~Host() = default;

Report::Report() = default;
Report::Report(Report const&) = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report const&) = default;
Report& Report::operator=(Report&&) noexcept = default;
Report::~Report() = default;

}  // namespace rocmtune
