#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# rocmtune mcp answers an agent, and nothing that an agent sends makes it read, start or write what
# it was not allowed to.
set -euo pipefail
exec python3 "$(dirname "$0")/mcp.py"
