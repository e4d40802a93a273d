// SPDX-License-Identifier: MIT
// The error of a wrong data file: which file, where in it, what is wrong.
#pragma once

#include <string>
#include <string_view>

#include "rocmtune/error.hpp"

namespace rocmtune {

/// A profile or another JSON data file cannot be used. what() is "FILE: POINTER: message".
class ProfileError : public Error {
  public:
    ProfileError(std::string_view file, std::string_view pointer, std::string_view message)
        : Error(text(file, pointer, message)), file_(file), pointer_(pointer) {}

    std::string const& file() const { return file_; }

    /// JSON pointer (RFC 6901) to the value at fault; empty for the whole document.
    std::string const& pointer() const { return pointer_; }

  private:
    static std::string text(std::string_view file, std::string_view pointer,
                            std::string_view message) {
        std::string all(file);
        all.append(": ").append(pointer).append(pointer.empty() ? "" : ": ").append(message);
        return all;
    }

    std::string file_;
    std::string pointer_;
};

}  // namespace rocmtune
