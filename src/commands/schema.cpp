// SPDX-License-Identifier: MIT
// rocmtune schema NAME.
#include "commands/commands.hpp"
#include "measure/data_files.hpp"
#include "measure/output.hpp"

namespace rocmtune {

Exit run_schema(Arguments const& arguments) {
    write_output(arguments,
                 data_file(arguments, "schema/" + arguments.positionals.front() + ".schema.json"));
    return Exit::ok;
}

}  // namespace rocmtune
