# SPDX-License-Identifier: MIT
"""One function a command. Each starts the program, and gives back its report as records."""
from __future__ import annotations

import os
from typing import Any, Iterable, List, Mapping, Optional, Type, TypeVar, Union

from ._answer import parse, read_answer
from ._program import Outcome, last_line, run
from .errors import AnswerError, Error, InternalError, UsageError
from .records import (CheckReport, DiagnoseReport, EnvReport, ExplainReport, LintReport, PlanReport,
                      ProbeReport, Report)

Some = TypeVar("Some", bound=Report)
Path = Union[str, "os.PathLike[str]"]
Words = Union[str, Iterable[str]]
"""One word, or several."""


def probe(*, visible: Optional[Mapping[str, str]] = None, wake: bool = False,
          sources: Optional[str] = None, gpu: Optional[Words] = None, root: Optional[Path] = None,
          replay: Optional[Path] = None, timeout: Optional[float] = None) -> ProbeReport:
    """GPUs, driver, ROCm, frameworks and settings of this host.

    visible: masks, as HIP_VISIBLE_DEVICES, on top of the environment; the report's visibility says
    which GPUs are left. wake: also read suspended GPUs, which wakes them. sources: "all", or
    "sysfs" for the kernel's own files alone.
    """
    masks = [f"{name}={value}" for name, value in (visible or {}).items()]
    return ask(ProbeReport, "probe", options(visible=masks, wake=wake, sources=sources, gpu=gpu,
                                               root=root, replay=replay), timeout)


def check(*, level: Optional[str] = None, only: Optional[Words] = None,
          skip: Optional[Words] = None, expect_gpus: Union[int, str, None] = None,
          fail_on: Optional[str] = None, baseline: Optional[Path] = None,
          ignore: Optional[Path] = None, force: bool = False, user: Optional[str] = None,
          process: Optional[int] = None, unit: Optional[str] = None, gpu: Optional[Words] = None,
          root: Optional[Path] = None, replay: Optional[Path] = None,
          timeout: Optional[float] = None) -> CheckReport:
    """Is this host healthy? Every GPU copies and computes a little, unless a job uses it.

    level: "quick" (else taken), "medium" or "long". only, skip: names, ids or themes of checks.
    user, process, unit: judge what these may do here, in place of this process.
    """
    return ask(CheckReport, "check", options(
        level=level, only=only, skip=skip, expect_gpus=expect_gpus, fail_on=fail_on,
        baseline=baseline, ignore=ignore, force=force, user=user, process=process, unit=unit,
        gpu=gpu, root=root, replay=replay), timeout)


def lint(text: Optional[str] = None, *, kind: Optional[str] = None, fail_on: Optional[str] = None,
         min_level: Optional[str] = None, readers: bool = False, process: Optional[int] = None,
         unit: Optional[str] = None, gpu: Optional[Words] = None, root: Optional[Path] = None,
         replay: Optional[Path] = None, timeout: Optional[float] = None) -> LintReport:
    """Which settings in a text are dead, misread or harmful? Without text: in this environment.

    kind: what the text is ("shell", "dockerfile", "compose", ...), where its first line does not
    tell.
    """
    return ask(LintReport, "lint", options(
        kind=kind, fail_on=fail_on, min_level=min_level, readers=readers, process=process,
        unit=unit, gpu=gpu, root=root, replay=replay) + _input(text), timeout, text)


def diagnose(text: Optional[str] = None, *, fail_on: Optional[str] = None,
             user: Optional[str] = None, process: Optional[int] = None, unit: Optional[str] = None,
             gpu: Optional[Words] = None, root: Optional[Path] = None,
             replay: Optional[Path] = None, timeout: Optional[float] = None) -> DiagnoseReport:
    """What can an error text come from, and which of it is so on this host?

    Without text the log and the findings of this host are judged.
    """
    return ask(DiagnoseReport, "diagnose", options(
        fail_on=fail_on, user=user, process=process, unit=unit, gpu=gpu, root=root,
        replay=replay) + _input(text), timeout, text)


def explain(name: str, *, level: Optional[str] = None, workload: Optional[str] = None,
            framework: Optional[str] = None, gpu: Optional[Words] = None,
            root: Optional[Path] = None, replay: Optional[Path] = None,
            timeout: Optional[float] = None) -> ExplainReport:
    """What is known of a variable, a finding (RT3011), a target (gfx942), an option, a message."""
    return ask(ExplainReport, "explain", options(
        level=level, workload=workload, framework=framework, gpu=gpu, root=root,
        replay=replay) + ["--", name], timeout)


def plan(*, params: Union[int, str, None] = None, model: Union[Path, Iterable[Path], None] = None,
         inference: bool = False, dtype: Optional[str] = None, cache_dtype: Optional[str] = None,
         optimizer: Optional[str] = None, shard: Optional[str] = None,
         checkpointing: Optional[str] = None, loss: Optional[str] = None,
         attention: Optional[str] = None, lora: Optional[int] = None,
         base_dtype: Optional[str] = None, batch: Optional[int] = None,
         sequence: Optional[int] = None, gpus: Optional[int] = None, memory: Optional[str] = None,
         gpu: Optional[Words] = None, root: Optional[Path] = None, replay: Optional[Path] = None,
         timeout: Optional[float] = None) -> PlanReport:
    """Does training or inference of a model fit into these GPUs, and if not, what would?

    params: parameters (8030261248, "70B"), or model: a config.json, a GGUF file, a folder, an id in
    the local cache of Hugging Face. memory: plan for GPUs with so much ("192GiB"), not for these.
    """
    return ask(PlanReport, "plan", options(
        params=params, model=model, inference=inference, dtype=dtype, cache_dtype=cache_dtype,
        optimizer=optimizer, shard=shard, checkpointing=checkpointing, loss=loss,
        attention=attention, lora=lora, base_dtype=base_dtype, batch=batch, sequence=sequence,
        gpus=gpus, memory=memory, gpu=gpu, root=root, replay=replay), timeout)


def env(*, level: Optional[str] = None, workload: Optional[str] = None,
        framework: Optional[str] = None, force: bool = False, unset: bool = False,
        gpu: Optional[Words] = None, root: Optional[Path] = None, replay: Optional[Path] = None,
        timeout: Optional[float] = None) -> EnvReport:
    """The settings that the evidence supports on this host, each with its reason and source.

    Nothing is set: settings.items says what to set, to keep and (value None) to clear.
    """
    return ask(EnvReport, "env", options(
        level=level, workload=workload, framework=framework, force=force, unset=unset, gpu=gpu,
        root=root, replay=replay), timeout)


def read_report(text: Union[str, bytes]) -> Report:
    """A report that was kept, of any command, as `rocmtune report --json -o FILE` writes it."""
    return read_answer(Report, parse(text))


def options(**values: Any) -> List[str]:
    """The words of options. What is None or False is left out, a list repeats its option."""
    words = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            one = isinstance(value, (str, int, os.PathLike))
            words += [f"{option}={os.fspath(item) if isinstance(item, os.PathLike) else item}"
                      for item in ([value] if one else value)]
    return words


def _input(text: Optional[str]) -> List[str]:
    return [] if text is None else ["-"]


def ask(kind: Type[Some], command: str, words: List[str], timeout: Optional[float],
         text: Optional[str] = None) -> Some:
    outcome = run([command, "--json", *words], text, timeout)
    document = _document(outcome)
    if outcome.exit_code in (2, 5):
        raise _error(outcome, read_answer(Report, document))
    if outcome.exit_code not in (0, 1, 3, 4):
        raise AnswerError(f"rocmtune has no exit code {outcome.exit_code}", last_line(outcome.said))
    return read_answer(kind, document)


def _document(outcome: Outcome) -> Any:
    try:
        return parse(outcome.output)
    except AnswerError:
        hint = last_line(outcome.said) or "it said nothing on standard error"
        raise AnswerError(f"the program printed no report and ended with {outcome.exit_code}",
                          hint) from None


def _error(outcome: Outcome, report: Report) -> Error:
    kind: Type[Error] = UsageError if outcome.exit_code == 2 else InternalError
    if not report.errors:
        return kind(last_line(outcome.said), "", report)
    return kind(report.errors[0].message, report.errors[0].hint or "", report)
