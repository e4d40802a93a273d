// SPDX-License-Identifier: MIT
// What a program took from a fake library and gave back. With FAKE_LEDGER=FILE each is a line of
// that file, "+ KIND NUMBER" or "- KIND NUMBER", so that a test can look for what is missing: the
// program that leaks is a worker that has ended long since.
#pragma once

#include <string_view>

namespace fake {

/// Notes that this was handed out. `kind` is memory, pinned, stream, event, module or program.
void took(std::string_view kind, void const* handle);

/// Notes that it came back. False if it is not out: given back twice, or never handed out.
bool gave_back(std::string_view kind, void const* handle);

}  // namespace fake
