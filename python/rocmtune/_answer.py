# SPDX-License-Identifier: MIT
"""What every report has beside the keys of its document, and how records are read from JSON."""
from __future__ import annotations

import dataclasses
import functools
import json
from typing import (Any, Dict, Hashable, Type, TypeVar, Union, cast, get_args, get_origin,
                    get_type_hints)

from .errors import AnswerError

Record = TypeVar("Record")


@dataclasses.dataclass(frozen=True)
class Answer:
    """A document of the program, and what its exit code says."""

    document: Dict[str, Any] = dataclasses.field(repr=False, compare=False)
    """All of it as it was read, with keys that this version of the module does not know."""
    exit_code: int

    @property
    def found(self) -> bool:
        """Something was found: findings at or above fail_on, a cause, a plan that does not fit."""
        return self.exit_code == 1

    @property
    def undetermined(self) -> bool:
        """What was asked could not be determined: denied, no answer in time, nothing tested."""
        return self.exit_code == 3

    @property
    def without_gpu(self) -> bool:
        """There is no AMD GPU, and what was asked needs one."""
        return self.exit_code == 4


def beside(key: str) -> Any:
    """The member for an object that stands beside facts, and is left out when it is empty."""
    return dataclasses.field(default_factory=dict, metadata={"key": key}, repr=False)


def parse(text: Union[str, bytes]) -> Any:
    """Raises AnswerError where it is no JSON, or no UTF-8."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"this is no JSON: {error}") from None


def read_answer(kind: Type[Record], document: Any) -> Record:
    """The document of a report as a record.

    Keys that are not known are left alone, since minor versions add some.
    Raises AnswerError where the document is no report of a version that this module knows.
    """
    if not isinstance(document, dict) or document.get("schema") != "rocmtune-report":
        raise AnswerError("this is no report of rocmtune")
    version = document.get("schema_version")
    if not isinstance(version, str) or not version.startswith("1."):
        raise AnswerError(f"the report has version {version}; this module reads versions 1.x")
    return _record(kind, {**document, "document": document}, "")


@functools.lru_cache(maxsize=None)
def _members(kind: Any) -> Any:
    """Name, key, type and whether it may be left out, of each member of a record."""
    hints = get_type_hints(kind)
    return [
        (
            member.name,
            member.metadata.get("key", member.name),
            hints[member.name],
            member.default_factory is not dataclasses.MISSING,
        )
        for member in dataclasses.fields(kind)
    ]


def _record(kind: Type[Record], value: Dict[str, Any], where: str) -> Record:
    found = {}
    for name, key, hint, has_default in _members(cast(Hashable, kind)):
        if key in value:
            found[name] = _value(hint, value[key], f"{where}/{key}")
        elif not has_default:
            found[name] = _value(hint, None, f"{where}/{key}")
    return kind(**found)


def _value(hint: Any, value: Any, where: str) -> Any:
    origin = get_origin(hint)
    if origin is Union:
        kinds = get_args(hint)
        if value is None and type(None) in kinds:
            return None
        if len(kinds) == 2 and type(None) in kinds:
            return _value(kinds[0], value, where)
        return value if isinstance(value, (bool, int, float, str)) else _refuse(hint, value, where)
    if origin is list and isinstance(value, list):
        kind = get_args(hint)[0]
        return [_value(kind, one, f"{where}/{row}") for row, one in enumerate(value)]
    if origin is dict and isinstance(value, dict):
        kind = get_args(hint)[1]
        return {key: _value(kind, one, f"{where}/{key}") for key, one in value.items()}
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return _record(hint, value, where)
    return _scalar(str if origin not in (None, list, dict) else hint, value, where)


def _scalar(hint: Any, value: Any, where: str) -> Any:
    """Words of an enumeration may be newer than this module, and stay what they are."""
    if hint is Any:
        return value
    if hint is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if hint in (str, int, bool) and type(value) is hint:
        return value
    return _refuse(hint, value, where)


def _refuse(hint: Any, value: Any, where: str) -> Any:
    wanted = getattr(hint, "__name__", str(hint))
    found = "nothing" if value is None else type(value).__name__
    raise AnswerError(f"the report has {found} at {where} where {wanted} belongs")
