// SPDX-License-Identifier: MIT
#include "measure/earlier_report.hpp"

#include "measure/user_file.hpp"
#include "reports/whole_report.hpp"

namespace rocmtune {

Report earlier_report(Arguments const& arguments, std::string const& file) {
    // Lint over a whole cluster's files finds more than is to be said of one host.
    constexpr std::size_t cap_bytes = std::size_t{64} << 20;
    return read_whole_report(user_file(arguments, file, cap_bytes), file);
}

}  // namespace rocmtune
