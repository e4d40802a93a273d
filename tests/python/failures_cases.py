# SPDX-License-Identifier: MIT
"""What goes wrong between a call and its report is one clear exception each."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import rocmtune
from rocmtune import _program

PROGRAM = os.environ["ROCMTUNE_UNDER_TEST"]
MODULE = pathlib.Path(rocmtune.__file__).parent
ERROR = ('{"schema": "rocmtune-report", "schema_version": "1.0", "tool": {"name": "rocmtune", "version": "1", '
         '"data_date": "2026-01-01"}, "command": "x", "errors": [{"message": "it broke", "exit_code": %d}], '
         '"exit_code": %d}')


class OtherPrograms(unittest.TestCase):
    """A program in place of ours, named by ROCMTUNE."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def use(self, content, mode=0o755):
        program = self.folder / "program"
        if isinstance(content, str):
            content = f"#!/bin/sh\n{content}\n".encode()
        program.write_bytes(content)
        program.chmod(mode)
        self.name(program)

    def name(self, program):
        change = unittest.mock.patch.dict(os.environ, ROCMTUNE=str(program))
        change.start()
        self.addCleanup(change.stop)

    def fails(self, kind, says, call=rocmtune.probe, **given):
        with self.assertRaises(kind) as caught:
            call(**given)
        self.assertIsInstance(caught.exception, rocmtune.Error)
        self.assertRegex(str(caught.exception), says)
        return caught.exception

    def test_a_program_that_is_not_there(self):
        self.name(self.folder / "nothing")
        self.fails(rocmtune.StartError, "nothing cannot be started: No such file")

    def test_a_program_that_may_not_be_executed(self):
        self.use("true", 0o644)
        self.fails(rocmtune.StartError, "it is not executable")

    def test_a_program_for_another_machine(self):
        head = bytearray(pathlib.Path(PROGRAM).read_bytes()[:4096])
        head[18:20] = b"\x02\x00"  # SPARC
        self.use(bytes(head))
        self.fails(rocmtune.StartError, "no program for this machine")

    def test_a_program_whose_loader_is_not_here(self):
        self.use(pathlib.Path(PROGRAM).read_bytes().replace(b"/lib64/ld-linux-x86-64.so.2", b"/lib64/no-linux-x86-64.so.2", 1))
        self.fails(rocmtune.StartError, "its loader is not here .*musl")

    def test_a_file_system_without_programs(self):
        self.use("true")
        command = f"mount -t tmpfs -o noexec none {self.folder} && touch {self.folder}/program && " \
                  f"chmod +x {self.folder}/program && exec {sys.executable} -c 'import rocmtune; rocmtune.probe()'"
        done = subprocess.run(["unshare", "-rm", "sh", "-c", command], capture_output=True, text=True)
        if "mount:" in done.stderr or "unshare:" in done.stderr:
            self.skipTest(f"no file system can be mounted here: {done.stderr.strip()}")
        self.assertIn("StartError", done.stderr)
        self.assertIn("mounted noexec (name a copy in another folder in ROCMTUNE)", done.stderr)

    def test_a_program_that_dies(self):
        for signal, name in ((9, "SIGKILL"), (11, "SIGSEGV"), (6, "SIGABRT")):
            self.use(f"echo last words >&2; kill -{signal} $$")
            error = self.fails(rocmtune.KilledError, f"ended by {name} \\(last words\\)")
            self.assertEqual(error.signal, signal)
        self.use("exit 143")  # as a program says that ended itself after SIGTERM
        self.assertEqual(self.fails(rocmtune.KilledError, "SIGTERM").signal, 15)

    def test_a_program_that_prints_no_report(self):
        self.use("echo hello; echo why >&2; exit 0")
        self.fails(rocmtune.AnswerError, r"no report and ended with 0 \(why\)")
        self.use("exit 1")
        self.fails(rocmtune.AnswerError, "said nothing on standard error")
        self.use("printf '\\377\\376'")
        self.fails(rocmtune.AnswerError, "no report")
        self.use("""echo "./x: /lib/libc.so.6: version \\`GLIBC_2.99' not found" >&2; exit 1""")
        self.fails(rocmtune.AnswerError, "GLIBC_2.99' not found")
        self.use("echo '{}'")
        self.fails(rocmtune.AnswerError, "no report of rocmtune")
        self.use(f"echo '{ERROR % (7, 7)}'; exit 7")
        self.fails(rocmtune.AnswerError, "no exit code 7")

    def test_faults_of_the_program_and_of_the_user(self):
        self.use(f"echo '{ERROR % (5, 5)}'; exit 5")
        self.assertEqual(self.fails(rocmtune.InternalError, "it broke").report.exit_code, 5)
        self.use(f"echo '{ERROR % (2, 2)}'; exit 2")
        self.fails(rocmtune.UsageError, "^it broke$")

    def test_a_program_that_takes_too_long(self):
        for stubborn in ("", "trap '' TERM; "):
            self.use(stubborn + "echo begun; sleep 60 & wait; wait")
            start = time.monotonic()
            error = self.fails(rocmtune.TimeoutExpired, "probe took longer than 0.2 s", timeout=0.2)
            self.assertIsInstance(error, TimeoutError)
            self.assertLess(time.monotonic() - start, 30)

    def test_more_than_a_report_can_have(self):
        self.use("exec yes")
        with unittest.mock.patch.object(_program, "MOST_BYTES", 1 << 20):
            self.fails(rocmtune.AnswerError, "more than 1 MiB")
        self.use("yes | head -c 9000000 >&2; echo the end >&2; exit 1")
        self.fails(rocmtune.AnswerError, "no report", timeout=60)

    def test_a_program_that_reads_nothing(self):
        self.use(f"echo '{ERROR % (2, 2)}'; exit 2")
        self.fails(rocmtune.UsageError, "it broke", rocmtune.lint, text="export A=1\n" * 1_000_000)


class RealErrors(unittest.TestCase):
    def usage(self, says, call, *words, **given):
        with self.assertRaises(rocmtune.UsageError) as caught:
            call(*words, **given)
        self.assertIsInstance(caught.exception, ValueError)
        self.assertRegex(caught.exception.message, says)
        return caught.exception

    def test_wrong_arguments(self):
        error = self.usage("nowhere", rocmtune.probe, replay="/nowhere")
        self.assertEqual(error.report.exit_code, 2)
        self.assertTrue(self.usage("nonsense", rocmtune.probe, replay="example:nonsense").hint)
        self.usage("sideways", rocmtune.check, level="sideways")
        self.usage("model", rocmtune.plan)
        self.usage("argument", rocmtune.explain, "a\0b")
        with self.assertRaisesRegex(rocmtune.StartError, "too long.*diagnose"):
            rocmtune.explain("x" * 4_000_000)

    def test_values_that_look_like_options(self):
        self.usage("--version", rocmtune.check, level="--version", replay="example:mi300x-x8")

    def test_hostile_texts_are_texts(self):
        for text in ("", "\0\0\0", "\udcff\udc80", "\ufeffexport A=1", "x" * 3_000_000, "-\n--help\n"):
            with self.subTest(text[:20]):
                try:
                    self.assertEqual(rocmtune.lint(text, kind="shell").command, "lint")
                except rocmtune.UsageError as error:
                    self.assertTrue(error.message)
                self.assertEqual(rocmtune.diagnose(text, replay="example:no-gpu").command, "diagnose")

    def test_locales_without_utf_8(self):
        code = ("import rocmtune; report = rocmtune.lint('export PYTORCH_ROCM_DEVICE=f\\u00fcr', kind='shell'); "
                "assert report.findings[0].value == 'f\\u00fcr', ascii(report.findings[0].value); "
                "rocmtune.explain('f\\u00fcr \\u65e5') if 0 else None; rocmtune.collect_env()")
        for variables in ({"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
                          {"LC_ALL": "de_DE.ISO-8859-1", "PYTHONUTF8": "0"}):
            done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **variables},
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_interrupt_ends_the_program_too(self):
        with unittest.mock.patch.object(_program._Reader, "join", side_effect=KeyboardInterrupt), \
                unittest.mock.patch.object(_program, "_end", wraps=_program._end) as end:
            with self.assertRaises(KeyboardInterrupt):
                rocmtune.probe(replay="example:no-gpu")
        self.assertIsNotNone(end.call_args[0][0].returncode)


class Finding(unittest.TestCase):
    def test_where_the_program_is_looked_for(self):
        code = "import rocmtune; print(rocmtune.find_program())"
        with tempfile.TemporaryDirectory() as folder:
            packages = pathlib.Path(folder, "packages")
            (packages / "rocmtune").mkdir(parents=True)
            for file in MODULE.glob("*.py"):
                (packages / "rocmtune" / file.name).write_bytes(file.read_bytes())
            def found(**variables):
                done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                      env={"PYTHONPATH": str(packages), "PATH": "/nonexistent", **variables})
                return done.stdout.strip() or done.stderr.splitlines()[-1]
            self.assertRegex(found(), "StartError: there is no program rocmtune .*ROCMTUNE")
            on_path = pathlib.Path(folder, "rocmtune")
            on_path.write_text("#!/bin/sh\n")
            on_path.chmod(0o755)
            self.assertEqual(found(PATH=folder), str(on_path))
            self.assertEqual(found(PATH=folder, ROCMTUNE="/named"), "/named")
            # pip --target writes bin/ beside the packages.
            (packages / "bin").mkdir()
            (packages / "bin/rocmtune").write_text("")
            self.assertEqual(found(PATH=folder), str(packages / "bin/rocmtune"))
