// SPDX-License-Identifier: MIT
// What mending a setting changes in a text of each kind, and what is left to a person.
#include "settings/repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace rocmtune {
namespace {

using Kind = Repair::Kind;

constexpr auto by_hand = "(by hand)";

struct Case {
    InputKind kind;
    std::string before;
    Kind repair;
    std::string text;  ///< the new name or value
    std::string after;
};

void PrintTo(Case const& one, std::ostream* out) {
    *out << one.before;
}

/// The text with the last setting of OLD mended.
std::string mended(InputKind kind, std::string const& text, Kind repair, std::string const& with) {
    InputText const input{.text = text, .file = "file", .kind = kind};
    auto const found = read_assignments(input);
    auto const own = std::find_if(found.rbegin(), found.rend(),
                                  [](Assignment const& one) { return one.name == "OLD"; });
    if (own == found.rend()) return "(not read)";
    Mender const mender(input, found);
    auto const edit = mender.edit_for(
        {.kind = repair, .text = with, .name = "OLD", .line = own->line, .column = own->column});
    return edit ? with_edits(text, {*edit}) : by_hand;
}

class AMendedText : public testing::TestWithParam<Case> {};

TEST_P(AMendedText, is_mended_where_that_is_sure) {
    auto const& [kind, before, repair, text, after] = GetParam();
    EXPECT_EQ(mended(kind, before, repair, text), after);
}

Case gone(InputKind kind, std::string before, std::string after) {
    return {kind, std::move(before), Kind::remove, "", std::move(after)};
}
Case valued(InputKind kind, std::string before, std::string after) {
    return {kind, std::move(before), Kind::set_value, "new", std::move(after)};
}
Case named(InputKind kind, std::string before, std::string after) {
    return {kind, std::move(before), Kind::rename, "NEW", std::move(after)};
}

#define TEXTS(suite, ...) INSTANTIATE_TEST_SUITE_P(suite, AMendedText, testing::Values(__VA_ARGS__))

constexpr auto sh = InputKind::shell;

TEXTS(Shell, gone(sh, "a\nexport OLD=1\nb\n", "a\nb\n"),
      gone(sh, "a\nexport OLD=1  # why\nb\n", "a\nb\n"), gone(sh, "export OLD=1", ""),
      gone(sh, "export A=1 OLD=2 B=3\n", "export A=1 B=3\n"),
      gone(sh, "export A=1 OLD=2\n", "export A=1\n"),
      gone(sh, "export A=1 \\\n    OLD=2 \\\n    B=3\n", "export A=1 \\\n    B=3\n"),
      gone(sh, "export A=1 \\\n    OLD=2\n", "export A=1\n"),
      gone(sh, "OLD=1 B=2 python x.py\n", "B=2 python x.py\n"),
      gone(sh, "env OLD=1 python x.py\n", "env python x.py\n"),
      gone(sh, "docker run --rm -e OLD=1 -e B=2 image\n", "docker run --rm -e B=2 image\n"),
      gone(sh, "docker run \\\n  -e OLD=1 \\\n  -e B=2 \\\n  image\n",
           "docker run \\\n  -e B=2 \\\n  image\n"),
      gone(sh, "export OLD=1; python x.py\n", "python x.py\n"),
      gone(sh, "export OLD=1 && python x.py\n", "python x.py\n"),
      gone(sh, "test -f x && export OLD=1\n", "test -f x && :\n"),
      gone(sh, "if x; then export OLD=1; fi\n", "if x; then :; fi\n"),
      gone(sh, "if x; then\n    export OLD=1\nfi\n", "if x; then\n    :\nfi\n"),
      gone(sh, "if x; then\n    a\n    export OLD=1\nfi\n", "if x; then\n    a\nfi\n"),
      gone(sh, "f() { export OLD=1; }\n", "f() { :; }\n"),
      gone(sh, "case x in\n  a) export OLD=1 ;;\nesac\n", "case x in\n  a) : ;;\nesac\n"),
      gone(sh, "setenv OLD 1\nsetenv B 2\n", "setenv B 2\n"),
      gone(sh, "set -gx OLD 1\nset -gx B 2\n", "set -gx B 2\n"),
      gone(sh, "export OLD=1\r\nexport B=2\r\n", "export B=2\r\n"),
      // Something else speaks of the name.
      gone(sh, "export OLD=1\necho $OLD\n", by_hand), gone(sh, "OLD=1\nexport OLD\n", by_hand),
      gone(sh, "export OLD=1\nsrun --export=OLD x\n", by_hand),
      gone(sh, "# OLD is slow\nexport OLD=1\n", "# OLD is slow\n"),
      gone(sh, "export OLD=0\nexport OLD=1\n", by_hand),
      gone(sh, "\"OLD\"=1 x\nexport \"OLD=1\"\n", by_hand),
      valued(sh, "export OLD=1\n", "export OLD=new\n"),
      valued(sh, "export OLD=\"1\" B=2\n", "export OLD=\"new\" B=2\n"),
      valued(sh, "OLD='1' python x.py # OLD\n", "OLD='new' python x.py # OLD\n"),
      valued(sh, "setenv OLD 1\n", "setenv OLD new\n"), valued(sh, "A=1\nexport OLD=$A\n", by_hand),
      valued(sh, "export OLD=a\"b\"\n", by_hand), named(sh, "export OLD=1\n", "export NEW=1\n"),
      named(sh, "export NEW=0\nexport OLD=1\n", by_hand),
      named(sh, "export OLD=${OLD:-1}\n", by_hand),
      Case{sh, "export OLD=1\n", Kind::set_value, "$(rm -r x)", by_hand});

TEXTS(CodeBlocks,
      gone(InputKind::markdown, "Set `OLD`:\n```bash\n$ export OLD=1\n$ x\n```\n",
           "Set `OLD`:\n```bash\n$ x\n```\n"),
      gone(InputKind::markdown, "```bash\nexport OLD=1\necho $OLD\n```\n", by_hand),
      gone(InputKind::rst, ".. code-block:: bash\n\n   export OLD=1\n   x\n",
           ".. code-block:: bash\n\n   x\n"));

constexpr auto docker = InputKind::dockerfile;

TEXTS(Dockerfile, gone(docker, "FROM x\nENV OLD=1\nRUN y\n", "FROM x\nRUN y\n"),
      gone(docker, "FROM x\nENV OLD 1\nRUN y\n", "FROM x\nRUN y\n"),
      gone(docker, "ENV OLD=1 B=2\n", "ENV B=2\n"),
      gone(docker, "ENV OLD=1 \\\n    B=2\n", "ENV \\\n    B=2\n"),
      gone(docker, "ENV A=1 \\\n    OLD=2 \\\n    B=3\n", "ENV A=1 \\\n    B=3\n"),
      gone(docker, "ENV A=1 \\\n    OLD=\"2 3\"\nRUN y\n", "ENV A=1\nRUN y\n"),
      gone(docker, "ENV A=1 \\\n    # why\n    OLD=2\n", by_hand),
      gone(docker, "RUN export OLD=1 && make\n", "RUN make\n"),
      gone(docker, "RUN OLD=1 make\n", "RUN make\n"), gone(docker, "RUN export OLD=1\n", "RUN :\n"),
      valued(docker, "ENV A=\"x y\" OLD=1\n", "ENV A=\"x y\" OLD=new\n"),
      valued(docker, "ENV OLD 1\n", "ENV OLD new\n"), named(docker, "ENV OLD=1\n", "ENV NEW=1\n"));

constexpr auto unit = InputKind::systemd;

TEXTS(Units, gone(unit, "[Service]\nEnvironment=OLD=1\nUser=x\n", "[Service]\nUser=x\n"),
      gone(unit, "Environment=\"OLD=1\" \"B=2 3\"\n", "Environment=\"B=2 3\"\n"),
      gone(unit, "Environment=A=1 \\\n  OLD=2\nUser=x\n", "Environment=A=1\nUser=x\n"),
      valued(unit, "Environment=\"OLD=1\" \"B=2\"\n", "Environment=\"OLD=new\" \"B=2\"\n"),
      named(unit, "Environment=OLD=1\n", "Environment=NEW=1\n"));

TEXTS(Lines, gone(InputKind::dotenv, "A=1\nexport OLD=1 # why\nB=2\n", "A=1\nB=2\n"),
      gone(InputKind::dotenv, "OLD=\"1\n2\"\nB=2\n", "B=2\n"),
      valued(InputKind::dotenv, "OLD='1' # why\n", "OLD='new' # why\n"),
      named(InputKind::dotenv, "OLD = 1\n", "NEW = 1\n"),
      gone(InputKind::modulefile, "setenv OLD 1\nsetenv B 2\n", "setenv B 2\n"),
      gone(InputKind::modulefile, "setenv(\"OLD\", \"1\")\nsetenv(\"B\", \"2\")\n",
           "setenv(\"B\", \"2\")\n"),
      valued(InputKind::modulefile, "setenv(\"OLD\", \"1\") -- why\n",
             "setenv(\"OLD\", \"new\") -- why\n"),
      valued(InputKind::modulefile, "setenv OLD \"1\"\n", "setenv OLD \"new\"\n"),
      gone(InputKind::nix, "{\n  OLD = \"1\";\n  B = \"2\";\n}\n", "{\n  B = \"2\";\n}\n"),
      gone(InputKind::nix, "{\n  environment.variables.OLD = \"1\";\n}\n", "{\n}\n"),
      gone(InputKind::nix, "{ OLD = \"1\"; B = \"2\"; }\n", by_hand),
      valued(InputKind::nix, "{\n  OLD = \"1\";\n}\n", "{\n  OLD = \"new\";\n}\n"),
      gone(InputKind::notebook,
           "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"%env OLD=1\"]}]}", by_hand));

constexpr auto py = InputKind::python;

TEXTS(Python, gone(py, "import os\nos.environ[\"OLD\"] = \"1\"\nx()\n", "import os\nx()\n"),
      gone(py, "if a:\n    os.environ['OLD'] = '1'  # why\nx()\n", "if a:\n    pass\nx()\n"),
      gone(py, "if a:\n    b()\n    os.environ.setdefault('OLD', '1')\n", "if a:\n    b()\n"),
      gone(py, "if (a and\n        b):\n    os.environ['OLD'] = '1'\n",
           "if (a and\n        b):\n    pass\n"),
      gone(py, "if a: os.environ['OLD'] = '1'\n", by_hand),
      gone(py, "os.environ['OLD'] = f(\n    1)\n", by_hand),
      gone(py, "os.environ['OLD'] = '1'; x()\n", by_hand),
      gone(py, "os.environ['OLD'] = '1'\nprint(os.environ['OLD'])\n", by_hand),
      valued(py, "os.environ['OLD'] = '1'\n", "os.environ['OLD'] = 'new'\n"),
      named(py, "os.putenv('OLD', '1')\n", "os.putenv('NEW', '1')\n"));

constexpr auto compose = InputKind::compose;
constexpr auto pod = InputKind::kubernetes;
constexpr auto flow = InputKind::workflow;

TEXTS(Yaml,
      gone(compose, "services:\n  a:\n    environment:\n      OLD: 1\n      B: 2\n",
           "services:\n  a:\n    environment:\n      B: 2\n"),
      gone(compose, "services:\n  a:\n    environment:\n      - OLD=1\n      - B=2\n",
           "services:\n  a:\n    environment:\n      - B=2\n"),
      gone(compose, "services:\n  a:\n    environment:\n    - \"OLD=1 2\"\n    image: x\n",
           "services:\n  a:\n    environment: []\n    image: x\n"),
      gone(compose, "services:\n  a:\n    environment: # why\n      # old\n      OLD: 1\n",
           "services:\n  a:\n    environment: {} # why\n      # old\n"),
      gone(compose, "services:\n  a:\n    environment: {OLD: 1, B: 2}\n", by_hand),
      gone(compose, "services:\n  a:\n    environment: &e\n      OLD: 1\n", by_hand),
      gone(compose, "services:\n  a:\n    environment:\n      OLD: >\n        1\n", by_hand),
      valued(compose, "services:\n  a:\n    environment:\n      OLD: 1\n",
             "services:\n  a:\n    environment:\n      OLD: \"new\"\n"),
      valued(compose, "services:\n  a:\n    environment:\n      OLD: '1' # why\n",
             "services:\n  a:\n    environment:\n      OLD: 'new' # why\n"),
      valued(compose, "services:\n  a:\n    environment:\n      - OLD=1\n",
             "services:\n  a:\n    environment:\n      - OLD=new\n"),
      named(compose, "services:\n  a:\n    environment:\n      NEW: 0\n      OLD: 1\n", by_hand),
      gone(pod,
           "containers:\n- env:\n  - name: OLD\n    value: \"1\"\n  - name: B\n    value: \"2\"\n",
           "containers:\n- env:\n  - name: B\n    value: \"2\"\n"),
      gone(pod, "containers:\n- env:\n  - name: OLD\n    value: \"1\"\n  image: x\n",
           "containers:\n- env: []\n  image: x\n"),
      valued(pod, "containers:\n- env:\n  - name: OLD\n    value: \"1\"\n",
             "containers:\n- env:\n  - name: OLD\n    value: \"new\"\n"),
      gone(pod, "containers:\n- env:\n  - value: \"1\"\n    name: OLD\n", by_hand),
      gone(flow, "env:\n  OLD: 1\njobs: {}\n", "env: {}\njobs: {}\n"),
      gone(flow,
           "jobs:\n  a:\n    steps:\n      - run: |\n          x\n          export OLD=1\n"
           "          y\n",
           "jobs:\n  a:\n    steps:\n      - run: |\n          x\n          y\n"),
      gone(flow, "jobs:\n  a:\n    steps:\n      - run: |\n          export OLD=1\n",
           "jobs:\n  a:\n    steps:\n      - run: |\n          :\n"),
      gone(flow, "jobs:\n  a:\n    steps:\n      - run: export OLD=1\n", by_hand));

TEST(Changes, have_lines_and_columns) {
    SourceLines const lines("a\nbcd\nä e\n");
    auto const whole = change_of({.begin = 2, .end = 6}, lines);
    EXPECT_EQ(std::tuple(whole.line, whole.column, whole.end_line, whole.end_column),
              std::tuple(2u, 1u, 3u, 1u));
    auto const last = change_of({.begin = 6, .end = 11, .text = "x"}, lines);
    EXPECT_EQ(std::tuple(last.line, last.column, last.end_line, last.end_column),
              std::tuple(3u, 1u, 4u, 1u));
    EXPECT_TRUE(last.is_ascii);
    EXPECT_FALSE(change_of({.begin = 9, .end = 10}, lines).is_ascii);
}

}  // namespace
}  // namespace rocmtune
