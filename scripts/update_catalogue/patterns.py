"""How source text reads environment variables: patterns by kind of file."""

import math
import re

from update_catalogue.names import NAME

# Quoted name, and a literal behind it as default; not the start of an expression.
QUOTED = r"""["'](?P<name>[A-Za-z_][A-Za-z0-9_]*)["']"""
LITERAL = r"""(?:\s*,\s*(?P<default>"[^"\n]*"|'[^'\n]*'|[-+.\w]+)(?=\s*[,)]))?"""

C_FUNCTIONS = (
    "getenv", "secure_getenv", "ncclGetEnv", "GetEnvVar", "IsEnvVarSet", "GetEnv", "GetEnvInt",
    "getBoolEnv", "getStrEnv", "getIntEnv", "get_env", "has_env", "check_env", "rocfft_getenv",
    "psm3_getenv", "readEnv", "GetEnvironmentVar", r"getenv_[a-z]\w*", r"Read\w+FromEnvVar",
)
PYTHON_FUNCTIONS = (
    r"os\.getenv", r"os\.environ\.get", r"os\.environ\.setdefault", r"os\.environ\.pop",
    "env_bool", "env_int", "env_str", "env_opt_str", "env_opt_bool", "get_bool_env_var",
    "get_int_env_var", "parse_flag_from_env", "env_with_choices", "env_list_with_choices",
    "env_set_with_choices", "get_env_or_set_default", "env_integer", "env_float",
    "_get_env", r"_lazy_[a-z]+",
)


def call(names):
    return re.compile(rf"(?<![\w.])(?:{'|'.join(names)})\s*\(\s*{QUOTED}{LITERAL}")


def parameter(macro):
    """A macro whose second argument is the name without the prefix of its library."""
    quoted = r"""["'](?P<name>[A-Za-z0-9_]+)["']"""
    return re.compile(rf"\b{macro}\s*\(\s*\w+\s*,\s*{quoted}{LITERAL}")


C_PATTERNS = [
    (call(r"(?:\w+::)*" + name for name in C_FUNCTIONS), "", None),
    (re.compile(r"\bMIOPEN_DECLARE_ENV_VAR(?:_\w+)?\s*\(\s*(?P<name>[A-Z][A-Z0-9_]*)"
                r"(?:\s*,\s*(?P<default>[-+.\w]+|\"[^\"\n]*\"))?\s*\)"), "", None),
    (re.compile(r"\bMIGRAPHX_DECLARE_ENV_VAR\s*\(\s*(?P<name>[A-Z][A-Z0-9_]*)"), "", None),
    # The table of flags in clr: debug() ones are constants in release builds.
    (re.compile(r"^\s*release(?:_on_stg)?\s*\(\s*\w+\s*,\s*(?P<name>[A-Z][A-Z0-9_]*)\s*,"
                r"\s*(?P<default>[^,]+?)\s*,", re.M), "", None),
    (re.compile(r"^\s*debug\s*\(\s*\w+\s*,\s*(?P<name>[A-Z][A-Z0-9_]*)\s*,"
                r"\s*(?P<default>[^,]+?)\s*,", re.M), "", "debug-build"),
    (re.compile(rf"\.set_env\(\s*{QUOTED}\s*\)"), "", None),  # options of llama.cpp
    (parameter("NCCL_PARAM"), "NCCL_", None),
    (parameter("RCCL_PARAM"), "RCCL_", None),
    (re.compile(r"\bRAY_CONFIG\(\s*[\w:]+\s*,\s*(?P<name>\w+)\s*,"
                r"(?:\s*(?P<default>[-+.\w]+|\"[^\"\n]*\")(?=\s*\)))?"), "RAY_", None),
]
PYTHON_PATTERNS = [
    (call(PYTHON_FUNCTIONS), "", None),
    (re.compile(rf"\bos\.environ\[\s*{QUOTED}\s*\](?!\s*=[^=])"), "", None),
    (re.compile(rf"{QUOTED}\s+(?:not\s+)?in\s+os\.environ\b"), "", None),
    # The table of settings in SGLang: the field has the name, an older one stands behind it.
    (re.compile(r"^\s+(?P<name>[A-Z][A-Z0-9_]+)\s*=\s*Env[A-Z]\w+\("
                r"(?:\s*(?P<default>\"[^\"\n]*\"|[-+.\w]+)(?=\s*[,)]))?", re.M), "", None),
    (re.compile(rf"\bdeprecated_name\s*=\s*{QUOTED}"), "", None),
]
GO_PATTERNS = [
    (re.compile(rf"\bos\.(?:Getenv|LookupEnv)\(\s*{QUOTED}"), "", None),
    # The settings of Ollama.
    (re.compile(r"(?<![\w.])(?:Bool|BoolWithDefault|String|Uint|Uint64|Var)\(\s*"
                rf"\"(?P<name>[A-Z][A-Z0-9_]+)\"{LITERAL}"), "", None),
]
CMAKE_PATTERNS = [(re.compile(r"(?:\$|\bDEFINED\s+)ENV\{(?P<name>[A-Za-z_]\w*)\}"), "", None)]
SHELL_PATTERNS = [(re.compile(r"\$\{(?P<name>[A-Z][A-Z0-9_]*):?[-=](?P<default>[^{}$\n]*)\}"),
                   "", None),
                  (re.compile(r"\$\{(?P<name>[A-Z][A-Z0-9_]*):?\+"), "", None)]

BY_SUFFIX = {
    **dict.fromkeys((".c", ".cc", ".cpp", ".cxx", ".cu", ".hip", ".h", ".hh", ".hpp", ".inl",
                     ".cuh"), C_PATTERNS),
    **dict.fromkeys((".py", ".pyx"), PYTHON_PATTERNS),
    ".go": GO_PATTERNS,
    ".cmake": CMAKE_PATTERNS,
    ".sh": SHELL_PATTERNS,
}
# Triton keeps its own code for each kind of GPU in third_party.
SKIPPED = re.compile(r"(^|/)(third[-_]?party(?!/(?:amd|nvidia|proton)/)|external|vendor|deps"
                     r"|node_modules|\.git)/")
BUILD = re.compile(r"(^|/)(setup\.py|CMakeLists\.txt|docker|\.ci|ci|\.github|build[^/]*)(/|$)"
                   r"|\.(cmake)$")
TOOL = re.compile(r"(^|/)(tests?|testing|bench\w*|samples?|examples?|tools?|scripts?|clients?|extra)/")
QUOTED_NAME = re.compile(r"""(?<=["'])[A-Z][A-Z0-9_]{3,127}(?=["'])""")
PLAIN_VALUE = re.compile(r"[-+]?\d[\w.]*|true|false|True|False")
PRODUCT = re.compile(r"\d+(?:\s*\*\s*(?:\d+|Ki|Mi))+")
# What a line of a log prints for a variable that is not set.
NOT_SET = re.compile(r"<.*>|\(.*\)|\[.*\]|\?|(?i:n/a|not[ _]set|unset)|")
COMMENTS = {
    "c": re.compile(r"//[^\n]*|/\*.*?\*/", re.S),
    "hash": re.compile(r"(?m)^\s*#(?!\s*(?:if|define|include))[^\n]*"),
}


def patterns_for(path):
    if path.rsplit("/", 1)[-1] == "CMakeLists.txt":
        return CMAKE_PATTERNS
    suffix = path[path.rfind("."):] if "." in path else ""
    return BY_SUFFIX.get(suffix, [])


def scope_of(path):
    """runtime, build or tool, by where a file lies."""
    if BUILD.search(path):
        return "build"
    return "tool" if TOOL.search(path) else "runtime"


def readers_in(path, text):
    """Yields (name, default or None, scope) for every read in one file."""
    if SKIPPED.search(path):
        return
    patterns = patterns_for(path)
    kind = "c" if patterns is C_PATTERNS or patterns is GO_PATTERNS else "hash"
    code = COMMENTS[kind].sub(" ", text)
    for pattern, prefix, scope in patterns:
        for match in pattern.finditer(code):
            name = prefix + match["name"]
            default = match.groupdict().get("default")
            if NAME.match(name):
                yield name, literal(default, patterns is SHELL_PATTERNS), scope or scope_of(path)


def quoted_in(path, text):
    """Every name in quotes in a file that is part of the library."""
    if SKIPPED.search(path) or scope_of(path) == "tool":
        return set()
    return set(QUOTED_NAME.findall(text))


def literal(default, bare):
    """The value's text; None for an expression, whose value the source does not show, and for
    words that say "not set". A bare word is text in a shell alone."""
    default = (default or "").strip()
    if len(default) >= 2 and default[0] == default[-1] and default[0] in "\"'":
        default = default[1:-1]
    elif PRODUCT.fullmatch(default):
        factors = default.replace("Ki", "1024").replace("Mi", "1048576").split("*")
        default = str(math.prod(int(factor) for factor in factors))
    elif not bare and not PLAIN_VALUE.fullmatch(default):
        return None
    return None if NOT_SET.fullmatch(default) else default
