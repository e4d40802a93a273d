"""Citations of files in public repositories, and whether these files are there."""

import functools
import re
import subprocess

REPOSITORY = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)/?\Z")
# A path: folders and a name with a suffix, or one of the names that have none.
PATH = re.compile(r"(?<![\w./:-])((?:[\w.+-]+/)*(?:[\w+-][\w.+-]*\.[A-Za-z][\w.]*|CMakeLists\.txt))(?![\w/])")
COMMIT = re.compile(r"\b[0-9a-f]{8,40}\b")
TAG = re.compile(r"(?<![\w.-])(?:rocm-\d[\w.]*|v\d[\w.+-]*)(?![\w-])")


def all_in(value):
    """Every object of a document that cites a page, with url and reference, or a file of a release."""
    if isinstance(value, list):
        for each in value:
            yield from all_in(each)
    elif isinstance(value, dict):
        if ("title" in value and value.get("url")) or {"file", "repository", "release"} <= value.keys():
            yield value
        for each in value.values():
            yield from all_in(each)


def paths_of(citation):
    """Paths of files; words with a point in them that are no paths have no known suffix."""
    found = PATH.findall(citation.get("reference") or "")
    known = ("c cc cpp cu cuh go h hip hpp in inc json md mdx py rs rst sh td toml txt yaml yml "
             "cmake rocm html js ipynb yaml.in cpp.in").split()
    return [path for path in found if path.split(".", 1)[-1] in known or path.rsplit(".", 1)[-1] in known]


def texts_of(citation):
    """Tags and commits, as the citation writes them."""
    version = citation.get("version") or ""
    return [text.rstrip(".") for text in TAG.findall(version)] + COMMIT.findall(version)


def git(place, *arguments):
    return subprocess.run(["git", "-C", str(place), *arguments], capture_output=True, check=False)


def place_of(root, repository):
    owner, _, name = repository.partition("/")
    for place in (root / f"{owner}+{name}" / "repo", root / owner / name):
        if place.is_dir():
            return place
    return None


@functools.lru_cache(maxsize=256)
def tree(place, text):
    """Paths of a tag or commit, None where it is not there."""
    listed = git(place, "ls-tree", "-r", "--name-only", text)
    return set(listed.stdout.decode(errors="replace").split("\n")) if listed.returncode == 0 else None


def check_file(citation, root):
    """The same for a file of a release or of the first and last of several: it has to be in each."""
    name, path = citation["repository"], citation["file"]
    place = place_of(root, name)
    for text in re.split(r" to |, ", citation["release"]):
        files = None if place is None else tree(place, "HEAD" if text == "main" else text)
        if files is None:
            yield "?", f"{name} {path}: {text} is not here"
        else:
            yield ("=" if path in files else "!"), f"{name} {path}: {'' if path in files else 'not '}at {text}"


def check(citation, root):
    """Yields (sign, text) for each path at each text that the citation names."""
    if "file" in citation:
        yield from check_file(citation, root)
        return
    repository = REPOSITORY.match(citation["url"])
    paths = paths_of(citation)
    if not repository or not paths:
        return
    name = repository[1]
    place = place_of(root, name)
    texts = texts_of(citation)
    if place is None or not texts:
        why = "not below the directory" if place is None else "no tag or commit is named"
        for path in paths:
            yield "?", f"{name} {path}: {why}"
        return
    # One of several texts may lack one of several files: each file has to be in one of them, and
    # each text has to have one of them.
    trees = {text: tree(place, text) for text in texts}
    known = {text: files for text, files in trees.items() if files is not None}
    for text in texts:
        if trees[text] is None:
            yield "?", f"{name} {text}: no such tag or commit here"
    for path in paths if known else ():
        there = [text for text, files in known.items() if _has(files, path)]
        if there:
            yield "=", f"{name} {path} at {', '.join(there)}"
        elif len(known) == len(texts):
            yield "!", f"{name} {path}: not at {', '.join(texts)}"
        else:
            yield "?", f"{name} {path}: not at {', '.join(known)}, the others are not here"


def _has(files, path):
    return path in files or ("/" not in path and any(file.endswith("/" + path) for file in files))
