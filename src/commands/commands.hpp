// SPDX-License-Identifier: MIT
// The commands, one per source file of the same name.
#pragma once

#include "measure/arguments.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

Exit run_report(Arguments const& arguments);
Exit run_compare(Arguments const& arguments);
Exit run_fleet(Arguments const& arguments);
Exit run_plan(Arguments const& arguments);
Exit run_probe(Arguments const& arguments);
Exit run_env(Arguments const& arguments);
Exit run_run(Arguments const& arguments);
Exit run_check(Arguments const& arguments);
Exit run_lint(Arguments const& arguments);
Exit run_explain(Arguments const& arguments);
Exit run_bench(Arguments const& arguments);
Exit run_verify(Arguments const& arguments);
Exit run_cache(Arguments const& arguments);
Exit run_schema(Arguments const& arguments);
Exit run_completion(Arguments const& arguments);

}  // namespace rocmtune
