// SPDX-License-Identifier: MIT
// rocmtune schema NAME.
#include "commands/commands.hpp"

namespace rocmtune {

Exit run_schema(SchemaCommand const& options) {
    write_text(options.output, data_file(options.data, "schema/" + options.name + ".schema.json"));
    return Exit::ok;
}

}  // namespace rocmtune
