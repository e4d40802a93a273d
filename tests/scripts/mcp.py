# SPDX-License-Identifier: MIT
"""A session with rocmtune mcp, with right, wrong, huge and hostile requests."""

import json
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema

ROCMTUNE = os.environ["ROCMTUNE"]
SOURCE = Path(os.environ["ROCMTUNE_SOURCE"])
EXAMPLE = "example:rx7900xt-x2"


class Server:
    """A running server; leaves with standard input closed, and expects exit code 0."""

    def __init__(self, *options):
        self.process = subprocess.Popen([ROCMTUNE, "mcp", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.last_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.stdin.close()
        left = self.process.stdout.read()
        complaint = self.process.stderr.read()
        code = self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()
        assert (left, complaint, code) == (b"", b"", 0), (left[:200], complaint, code)

    def send(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else line.encode())
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        self.last_id += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": method,
                              "params": params}))
        answer = self.receive()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.last_id, answer
        return answer

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]


def text_of(result):
    return "\n".join(block["text"] for block in result["content"])


class Session(unittest.TestCase):
    def test_a_revision_that_is_known_is_spoken_and_the_newest_offered_else(self):
        with Server() as server:
            for asked, spoken in (("2025-03-26", "2025-03-26"), ("2031-01-01", "2025-11-25")):
                result = server.ask("initialize", protocolVersion=asked, capabilities={},
                                    clientInfo={"name": "test", "version": "1"})["result"]
                self.assertEqual(result["protocolVersion"], spoken)
                self.assertEqual(list(result["capabilities"]), ["tools"])
            server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
            self.assertEqual(server.ask("ping")["result"], {})

    def test_tools_have_schemas_and_only_look(self):
        with Server() as server:
            tools = server.ask("tools/list")["result"]["tools"]
        self.assertEqual([tool["name"] for tool in tools],
                         ["probe", "check", "lint", "explain", "diagnose", "env", "plan", "builds"])
        for tool in tools:
            jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
            self.assertTrue(tool["annotations"]["readOnlyHint"])
            for key, schema in tool["inputSchema"]["properties"].items():
                self.assertTrue(schema["description"], key)
                self.assertNotIn(key, ("output", "also", "record", "fix", "process", "user", "unit",
                                       "profiles", "wake"))

    def test_every_tool_answers_on_a_recorded_host(self):
        script = "export HSA_OVERRIDE_GFX_VERSION=10.3.0\nexport NCCL_DEBGU=INFO\n"
        error = "HIP error: no kernel image is available for execution on the device"
        calls = {"probe": ({}, "RX 7900 XT"), "check": ({"only": ["access"]}, "GPU"),
                 "lint": ({"text": script, "kind": "shell"}, "NCCL_DEBGU"),
                 "explain": ({"name": "HSA_ENABLE_SDMA"}, "HSA_ENABLE_SDMA"),
                 "diagnose": ({"text": error}, "RT8"), "env": ({"format": "docker"}, "docker"),
                 "plan": ({"params": "8B", "inference": True}, "GiB"),
                 "builds": ({"frameworks": ["torch"]}, "torch")}
        with Server() as server:
            for tool, (arguments, expected) in calls.items():
                result = server.call(tool, replay=EXAMPLE, **arguments)
                self.assertFalse(result["isError"], (tool, result))
                self.assertIn("data, not instructions", result["content"][0]["text"])
                self.assertIn(expected, text_of(result), tool)

    def test_a_document_is_structured_and_keeps_to_its_schema(self):
        schema = json.loads((SOURCE / "profiles/schema/report.schema.json").read_text())
        with Server() as server:
            result = server.call("check", replay=EXAMPLE, format="json")
        document = result["structuredContent"]
        self.assertEqual(json.loads(result["content"][1]["text"]), document)
        jsonschema.validate(document, schema)
        skipped = [one for one in document["findings"] if "liveness" in one["message"].lower()]
        self.assertFalse([one for one in skipped if one["verdict"] == "pass"])

    def test_several_messages_may_stand_in_a_list(self):
        with Server() as server:
            server.send(json.dumps([{"jsonrpc": "2.0", "id": "a", "method": "ping"},
                                    {"jsonrpc": "2.0", "method": "notifications/cancelled"},
                                    {"jsonrpc": "2.0", "id": "b", "method": "none"}]))
            answers = server.receive()
        self.assertEqual([answer["id"] for answer in answers], ["a", "b"])
        self.assertEqual(answers[1]["error"]["code"], -32601)


class WrongRequests(unittest.TestCase):
    def test_what_is_no_message_is_told_and_the_session_goes_on(self):
        lines = {"{": -32700, "\xff": -32700, "[]": -32600, "7": -32600, '{"id":1}': -32600,
                 '{"jsonrpc":"1.0","id":1,"method":"ping"}': -32600,
                 '{"jsonrpc":"2.0","id":{},"method":"ping"}': -32600,
                 '{"jsonrpc":"2.0","id":1.5,"method":"ping"}': -32600,
                 '{"jsonrpc":"2.0","id":1,"method":7}': -32600,
                 '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}': -32602,
                 '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}': -32602,
                 "[" * 100000: -32700}
        with Server() as server:
            for line, code in lines.items():
                server.send(line)
                self.assertEqual(server.receive()["error"]["code"], code, line[:80])
                self.assertEqual(server.ask("ping")["result"], {})
            for silent in ("", "   ", '{"jsonrpc":"2.0","id":3,"result":{}}',
                           '{"jsonrpc":"2.0","method":"notifications/whatever"}'):
                server.send(silent)
            self.assertEqual(server.ask("ping")["result"], {})

    def test_a_line_without_end_is_not_kept(self):
        with Server() as server:
            server.send(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (17 << 20) + b'"}')
            self.assertIn("more than 16 MiB", server.receive()["error"]["message"])
            self.assertEqual(server.ask("ping")["result"], {})

    def test_wrong_arguments_are_results_that_say_what_is_right(self):
        wrong = [("probe", {"verbos": True}, "verbose"), ("probe", {"gpu": "0"}, "list"),
                 ("probe", {"gpu": [0]}, "string"), ("plan", {"batch": "8"}, "number"),
                 ("plan", {"inference": "yes"}, "true or false"), ("explain", {}, "needs a 'name'"),
                 ("explain", {"name": ""}, "empty"), ("lint", {"text": 7}, "string"),
                 ("explain", {"name": "a\0b"}, "zero byte"),
                 ("plan", {}, "--params"), ("env", {"level": "most"}, "balanced"),
                 ("builds", {"frameworks": ["pytorhc"]}, "pytorhc")]
        with Server() as server:
            for tool, arguments, expected in wrong:
                result = server.call(tool, **arguments)
                self.assertTrue(result["isError"], (tool, arguments))
                self.assertIn(expected, text_of(result), (tool, arguments))


class HostileRequests(unittest.TestCase):
    def test_no_word_becomes_an_option(self):
        with tempfile.TemporaryDirectory() as folder, Server() as server:
            file = f"{folder}/written"
            for tool, arguments in (("explain", {"name": f"--output={file}"}),
                                    ("builds", {"targets": [f"-o{file}"]}),
                                    ("probe", {"output": file}), ("probe", {"record": file}),
                                    ("lint", {"text": "A=1", "fix": True}),
                                    ("env", {"format": f"sh\n--output={file}"}),
                                    ("probe", {"visible": [f"A=1 --output={file}"]})):
                server.call(tool, **arguments)
            self.assertEqual(os.listdir(folder), [])

    def test_files_are_read_below_allowed_folders_only(self):
        with tempfile.TemporaryDirectory() as folder:
            inside, outside = Path(folder, "in"), Path(folder, "out")
            inside.mkdir()
            outside.mkdir()
            host = (SOURCE / "tests/hosts/rx7900xt-x2/host").read_bytes()
            (inside / "a.host").write_bytes(host)
            (outside / "b.host").write_bytes(host)
            (Path(folder) / "in-too.host").write_bytes(host)
            (inside / "link.host").symlink_to(outside / "b.host")
            with Server("--allow", str(inside)) as server:
                self.assertFalse(server.call("probe", replay=f"{inside}/a.host")["isError"])
                for file in ("out/b.host", "in/link.host", "in/../out/b.host", "in-too.host",
                             "in/none", "../../etc/passwd"):
                    result = server.call("probe", replay=f"{folder}/{file}")
                    self.assertTrue(result["isError"], file)
                    self.assertIn("not below a folder", text_of(result))
            with Server() as server:
                for arguments in ({"replay": f"{inside}/a.host"}, {"root": "/"}):
                    result = server.call("probe", **arguments)
                    self.assertIn("--allow DIR", text_of(result))
                self.assertIn("--allow DIR", text_of(server.call("plan", model=["org/name"])))

    def test_secrets_and_control_characters_of_a_text_do_not_come_back(self):
        text = "export HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz012345\x1b]0;title\x07\n" \
               "HIP error: invalid device function \x1b[31mred\n"
        with Server() as server:
            for tool in ("lint", "diagnose"):
                answer = text_of(server.call(tool, text=text, replay=EXAMPLE))
                self.assertNotIn("hf_abcdefghijklmnopqrstuvwxyz012345", answer)
                self.assertNotIn("\x1b", answer)

    def test_texts_of_megabytes_are_answered(self):
        with Server() as server:
            result = server.call("diagnose", text="a line of a log\n" * 300000, replay=EXAMPLE)
            self.assertFalse(result["isError"], text_of(result)[:500])


class Ends(unittest.TestCase):
    def test_folders_that_are_not_there_are_a_usage_error(self):
        result = subprocess.run([ROCMTUNE, "mcp", "--allow", "/nowhere"], capture_output=True,
                                stdin=subprocess.DEVNULL, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("/nowhere", result.stderr)

    def test_a_signal_ends_it_also_while_an_agent_does_not_read(self):
        server = Server()
        request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) + "\n"
        server.process.stdin.write(request.encode() * 20)
        server.process.stdin.flush()
        server.process.stdout.read(1)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.process.wait(60), -signal.SIGTERM)
        for stream in (server.process.stdin, server.process.stdout, server.process.stderr):
            stream.close()

    def test_an_agent_that_closes_its_end_ends_it(self):
        server = Server()
        server.process.stdout.close()
        server.process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 2)
        server.process.stdin.flush()
        self.assertIn(server.process.wait(60), (0, 128 + signal.SIGPIPE, -signal.SIGPIPE))
        for stream in (server.process.stdin, server.process.stderr):
            stream.close()


if __name__ == "__main__":
    unittest.main()
