# SPDX-License-Identifier: MIT
"""Each function on recorded hosts, beside what the program prints for the same words."""
import contextlib
import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import unittest
import unittest.mock

import example
import rocmtune
from rocmtune import records

HOSTS = pathlib.Path(__file__).parents[1] / "hosts"
PROGRAM = os.environ["ROCMTUNE_UNDER_TEST"]


def printed(*words, text=None):
    done = subprocess.run([PROGRAM, *words, "--json"], input=text, capture_output=True, text=True)
    return json.loads(done.stdout)


def host(name):
    return str(HOSTS / name / "host")


class Commands(unittest.TestCase):
    def test_the_program_is_that_of_the_wheel(self):
        program = pathlib.Path(rocmtune.find_program())
        self.assertIn("venv/bin", str(program))
        self.assertEqual(program.read_bytes(), pathlib.Path(PROGRAM).read_bytes())

    def test_every_host_is_read_as_it_is_printed(self):
        for path in sorted(HOSTS.glob("*/host")):
            with self.subTest(path.parent.name):
                report = rocmtune.probe(replay=path)
                self.assertEqual(report.document, printed("probe", "--replay", str(path)))
                self.assertEqual(len(report.host.gpus), len(report.document["host"]["gpus"]))
                for gpu, row in zip(report.host.gpus, report.document["host"]["gpus"]):
                    self.assertEqual(gpu.gfx_target, row["gfx_target"])
                    self.assertEqual(gpu.reasons, row.get("_reasons", {}))
                    self.assertEqual(gpu.sources, row.get("_sources", {}))

    def test_a_missing_fact_is_none_and_has_its_reason(self):
        report = rocmtune.probe(replay=host("no-gpu"))
        self.assertIsNone(report.host.hip_runtime_path)
        self.assertIn("no HIP runtime", report.host.reasons["hip_runtime_path"])
        self.assertEqual((report.exit_code, report.found, report.undetermined), (0, False, False))

    def test_masks_say_what_is_visible(self):
        report = rocmtune.probe(replay="example:rx7900xt-x2", visible={"HIP_VISIBLE_DEVICES": "1"})
        self.assertEqual([one.row for one in report.visibility.hip.devices], [1])

    def test_findings_are_a_field(self):
        report = rocmtune.check(replay=host("mi300x-degraded"))
        self.assertTrue(report.found)
        self.assertEqual(report.exit_code, 1)
        failed = [one for one in report.findings if one.verdict == "fail"]
        self.assertTrue(failed and all(one.evidence and one.next_step for one in failed))
        self.assertEqual(report.summary.verdicts["fail"], len(failed))
        healthy = rocmtune.check(replay=host("mi300x-x8"))
        self.assertFalse(healthy.found or healthy.undetermined)
        self.assertTrue(rocmtune.check(replay=host("no-gpu")).without_gpu)
        self.assertTrue(rocmtune.check(replay=host("mi300x-x8"), expect_gpus=9).found)

    def test_lists_and_one_word_choose_checks(self):
        both = rocmtune.check(replay=host("mi300x-x8"), only=["pcie", "RT3106"])
        one = rocmtune.check(replay=host("mi300x-x8"), only="RT3106")
        self.assertEqual({finding.id for finding in one.findings}, {"RT3106"})
        self.assertLess(len(one.findings), len(both.findings))

    def test_lint_reads_a_text(self):
        text = "export HSA_ENABLE_SDMA=0 # für später\nexport PYTORCH_ROCM_DEVICE=0\n"
        report = rocmtune.lint(text, kind="shell", fail_on="warn")
        dead = [one for one in report.findings if one.name == "PYTORCH_ROCM_DEVICE"]
        self.assertEqual([(one.class_, one.line) for one in dead], [("dead-name", 2)])
        self.assertTrue(report.found)
        self.assertEqual(report.document, printed("lint", "-", "--kind", "shell", "--fail-on", "warn", text=text))
        self.assertFalse(rocmtune.lint("", kind="shell").findings)

    def test_diagnose_reads_a_text(self):
        text = "hipErrorNoBinaryForGpu: Unable to find code object for all current devices!"
        report = rocmtune.diagnose(text, replay=host("rx7900xt"))
        self.assertTrue(report.diagnosis.symptoms[0].id.startswith("RT8"))
        self.assertIn(report.exit_code, (1, 3))
        self.assertEqual(rocmtune.diagnose("all is well\n", replay=host("rx7900xt")).diagnosis.answer, "no-error")

    def test_explain_knows_names_and_options(self):
        report = rocmtune.explain("HSA_ENABLE_INTERRUPT", replay=host("rx7900xt-x2"))
        [one] = report.explanations
        self.assertEqual(one.name, "HSA_ENABLE_INTERRUPT")
        self.assertTrue(one.sources[0].title)
        self.assertEqual(rocmtune.explain("gfx942").explanations[0].target.wavefront_size, 64)
        self.assertTrue(rocmtune.explain("--gpu-memory-utilization").explanations)

    def test_plan_says_what_fits(self):
        report = rocmtune.plan(params="8B", inference=True, memory="24GiB", gpus=1)
        self.assertEqual(report.plan.fits, True)
        self.assertGreater(report.plan.needed_bytes, 8 << 30)
        large = rocmtune.plan(params=70_000_000_000, replay=host("rx7900xt"))
        self.assertEqual((large.plan.fits, large.found), (False, True))

    def test_env_sets_nothing_and_says_what_to_set(self):
        before = dict(os.environ)
        report = rocmtune.env(replay=host("mi300x-x8"), workload="training")
        self.assertEqual(report.settings.workload, "training")
        self.assertEqual(dict(os.environ), before)
        self.assertEqual({item.name for item in report.settings.items},
                         {item["name"] for item in printed("env", "--replay", host("mi300x-x8"), "--workload",
                                                           "training")["settings"]["items"]})

    def test_collect_env_is_a_text_without_names(self):
        text = rocmtune.collect_env(replay=host("rx7900xt-x2"))
        for line in ("OS: Ubuntu 24.04.3 LTS (Noble Numbat) (x86_64)", "HSA_ENABLE_SDMA=0"):
            self.assertIn(line + "\n", text)
        self.assertIn("GPU 1: AMD Radeon RX 7900 XT, gfx1100, PCI ", text)
        self.assertIn("Framework: torch 2.5.1+rocm6.2, HIP ", text)
        self.assertNotIn("/home/user", text)
        self.assertNotIn("forge", text)
        self.assertNotIn("Python:", text)  # that of this test is not of that host
        self.assertIn("AMD GPUs: none\n", rocmtune.collect_env(replay=host("no-gpu")))
        self.assertIn(f"\nPython: {sys.version.split()[0]} ", rocmtune.collect_env())

    def test_collect_env_never_guesses(self):
        for name in ("broken-permissions", "container-fewer-devices", "strix-halo", "wsl", "radeon-driver-and-vfio", "old-kernel"):
            with self.subTest(name):
                text = rocmtune.collect_env(replay=host(name))
                self.assertNotRegex(text, r"\bNone\b|N/A|\bnull\b")
                self.assertNotIn("no reason was given", text)

    def test_nothing_is_printed(self):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            rocmtune.check(replay=host("mi300x-degraded"))
            rocmtune.collect_env(replay=host("no-gpu"))
        self.assertEqual(out.getvalue() + err.getvalue(), "")

    def test_the_example_runs(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), unittest.mock.patch.dict(os.environ):
            self.assertEqual(example.main(host("mi300x-degraded")), 1)
        self.assertIn("RT3", out.getvalue())

    def test_the_command_and_the_module_become_the_program(self):
        scripts = pathlib.Path(rocmtune.find_program()).parent
        for start in ([str(scripts / "rocmtune")], [sys.executable, "-m", "rocmtune"]):
            words = ["check", "--json", "--replay", host("mi300x-degraded")]
            done = subprocess.run([*start, *words], capture_output=True, text=True)
            self.assertEqual((done.returncode, json.loads(done.stdout)), (1, printed(*words[:1], *words[2:])))
            # A pipe that closes ends it as it ends the program.
            closed = subprocess.run(f"{' '.join(start)} explain gfx942 | true; exit ${{PIPESTATUS[0]}}",
                                    shell=True, executable="/bin/bash", stderr=subprocess.PIPE)
            self.assertNotIn(b"Traceback", closed.stderr)


class Records(unittest.TestCase):
    def test_unknown_keys_and_words_of_later_minor_versions_are_no_fault(self):
        document = printed("check", "--replay", host("mi300x-degraded"))
        document["schema_version"] = "1.99"
        document["later"] = document["host"]["later"] = document["findings"][0]["later"] = {"a": [None]}
        document["findings"][0]["verdict"] = "later-word"
        report = rocmtune.read_report(json.dumps(document))
        self.assertEqual(report.findings[0].verdict, "later-word")
        self.assertEqual(report.document["later"], {"a": [None]})

    def test_what_is_no_report_of_ours_says_where(self):
        document = printed("probe", "--replay", host("mi300x-x8"))
        for change, says in (({"schema_version": "2.0"}, "2.0"), ({"schema": "x"}, "no report"),
                             ({"host": {**document["host"], "gpus": [{"row": "x"}]}}, "/host/gpus/0/"),
                             ({"exit_code": True}, "/exit_code"), ({"errors": None}, "nothing at /errors")):
            with self.assertRaisesRegex(rocmtune.AnswerError, says):
                rocmtune.read_report(json.dumps({**document, **change}))
        for text in ("", "[]", "null", "{", '"' * 99, "[" * 100_000, b"\xff\xfe\x00"):
            with self.assertRaises(rocmtune.AnswerError):
                rocmtune.read_report(text)

    def test_reports_of_every_command_are_read(self):
        for words in (["report"], ["builds", "torch"], ["plan", "--params", "8B"], ["lint"], ["explain", "gfx1100"]):
            document = printed(*words, "--replay", host("rx7900xt"))
            report = rocmtune.read_report(json.dumps(document))
            self.assertIsInstance(report, records.Report)
            self.assertEqual(report.command, words[0])

    def test_records_are_values(self):
        report = rocmtune.probe(replay=host("mi300x-x8"))
        self.assertEqual(pickle.loads(pickle.dumps(report)), report)
        with self.assertRaises(AttributeError):
            report.host.gpus[0].row = 1
        error = rocmtune.UsageError("a", "b")
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), "a (b)")
        killed = pickle.loads(pickle.dumps(rocmtune.KilledError("a", "b", 9)))
        self.assertEqual((killed.signal, killed.hint), (9, "b"))
