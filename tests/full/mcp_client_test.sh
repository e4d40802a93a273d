#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The protocol's own client (npm: @modelcontextprotocol/sdk) talks with rocmtune mcp.
set -euo pipefail

skip() { echo "$1"; exit 77; }
{ command -v node && command -v npm; } >/dev/null || skip "node and npm are not installed"
folder=$ROCMTUNE_BUILD/mcp-client
mkdir -p "$folder"
cd "$folder"
if [ ! -d node_modules/@modelcontextprotocol/sdk ]; then
    timeout 300 npm install --no-audit --no-fund --ignore-scripts --silent \
        @modelcontextprotocol/sdk@1 >npm.log 2>&1 || skip "npm cannot fetch the client here"
fi
cp "$ROCMTUNE_SOURCE/tests/full/mcp_client.mjs" .
timeout 300 node mcp_client.mjs "$ROCMTUNE"
