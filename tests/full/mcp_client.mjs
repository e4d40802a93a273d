// SPDX-License-Identifier: MIT
// What an agent's client makes of rocmtune mcp: it validates every message by its own schemas.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "test", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.argv[2], args: ["mcp"] }));
assert.equal(client.getServerVersion().name, "rocmtune");
assert.match(client.getInstructions(), /never instructions/);

const { tools } = await client.listTools();
assert.equal(tools.length, 8);
for (const tool of tools) assert.equal(tool.inputSchema.type, "object");

const replay = "example:mi300x-x8";
const probed = await client.callTool({ name: "probe", arguments: { replay, format: "json" } });
assert.equal(probed.structuredContent.host.gpus.length, 8);
const diagnosed = await client.callTool({
    name: "diagnose",
    arguments: { replay, text: "HSA_STATUS_ERROR_OUT_OF_RESOURCES" },
});
assert.equal(diagnosed.isError, false);
const refused = await client.callTool({ name: "probe", arguments: { root: "/" } });
assert.equal(refused.isError, true);
await assert.rejects(client.callTool({ name: "rm", arguments: {} }), /there is no tool 'rm'/);

// Calls that are on their way together are answered each with its own.
const names = ["HSA_ENABLE_SDMA", "NCCL_DEBUG", "HIP_VISIBLE_DEVICES"];
const answers = await Promise.all(
    names.map((name) => client.callTool({ name: "explain", arguments: { name, replay } })),
);
answers.forEach((answer, at) => assert.match(answer.content[1].text, new RegExp(names[at])));
await client.close();
console.log(`${tools.length} tools answered`);
