// SPDX-License-Identifier: MIT
// Workflow commands of GitHub Actions: a line that the runner turns into an annotation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rocmtune {

/// An annotation. The texts may hold anything; what would end the command early is escaped.
struct WorkflowCommand {
    std::string_view name;  ///< error, warning or notice
    std::string_view title;
    std::string_view text;
    std::string_view file = {};  ///< empty: the annotation is about no file
    std::size_t line = 0;        ///< of the file
    std::size_t column = 0;
};

/// "::error file=F,line=1,col=2,title=T::TEXT" with its line end.
std::string workflow_line(WorkflowCommand const& command);

}  // namespace rocmtune
