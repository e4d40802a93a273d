// SPDX-License-Identifier: MIT
// Which assignments each kind of text has, where they stand, and what is none.
#include "settings/collect.hpp"

#include <gtest/gtest.h>

#include <ostream>

#include <fmt/format.h>

#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Lines = std::vector<std::string>;

/// "2:8 NAME=VALUE"; then what is special about it, by letters: l not exported (local), u unset,
/// c conditional, o for one command.
std::string shown(Assignment const& assignment) {
    auto text = fmt::format("{}:{} {}", assignment.line, assignment.column, assignment.name);
    if (!assignment.unset) text += '=' + assignment.value.value_or("?");
    std::string flags;
    if (!assignment.exported) flags += 'l';
    if (assignment.unset) flags += 'u';
    if (assignment.conditional) flags += 'c';
    if (assignment.one_command) flags += 'o';
    return flags.empty() ? text : text + ' ' + flags;
}

Lines read(InputKind kind, std::string_view text) {
    Lines lines;
    for (auto const& assignment : read_assignments({.text = text, .file = "f", .kind = kind}))
        lines.push_back(shown(assignment));
    return lines;
}

struct Case {
    std::string name;
    InputKind kind;
    std::string text;
    Lines expected;
};

void PrintTo(Case const& one, std::ostream* out) {
    *out << one.name;
}

class AText : public testing::TestWithParam<Case> {};

TEST_P(AText, has_these_assignments) {
    auto const& one = GetParam();
    EXPECT_EQ(read(one.kind, one.text), one.expected) << one.text;
}

#define TEXTS(suite, ...)                                                \
    INSTANTIATE_TEST_SUITE_P(suite, AText, testing::Values(__VA_ARGS__), \
                             [](auto const& tested) { return tested.param.name; })

constexpr auto shell = InputKind::shell;

TEXTS(Shell, Case{"export_with_value", shell, "export A=1\n", {"1:8 A=1"}},
      Case{"several_in_one_export",
           shell,
           "export A=1 B='x y' C=\"z\"",
           {"1:8 A=1", "1:12 B=x y", "1:20 C=z"}},
      Case{"several_on_one_line", shell, "export A=1; export B=2", {"1:8 A=1", "1:20 B=2"}},
      Case{"not_exported", shell, "A=1\n", {"1:1 A=1 l"}},
      Case{"exported_later", shell, "A=1\nexport A\n", {"1:1 A=1"}},
      Case{"set_a", shell, "set -a\nA=1\nset +a\nB=2\n", {"2:1 A=1", "4:1 B=2 l"}},
      Case{"declare_x", shell, "declare -x A=1\ndeclare B=2\n", {"1:12 A=1", "2:9 B=2 l"}},
      Case{"for_one_command", shell, "A=1 B=2 ./run", {"1:1 A=1 o", "1:5 B=2 o"}},
      Case{"env_command", shell, "env -u X A=1 python3 t.py", {"1:10 A=1 o"}},
      Case{"env_alone_only_prints", shell, "env A=1", {}},
      Case{"sudo_env", shell, "sudo env A=1 ./run", {"1:10 A=1 o"}},
      Case{"unset", shell, "unset A B", {"1:7 A u", "1:9 B u"}},
      Case{"comment", shell, "# export A=1\necho x # export B=1\n", {}},
      Case{"hash_within_a_word", shell, "export A=x#y", {"1:8 A=x#y"}},
      Case{"echoed", shell, "echo \"export A=1\"\necho export B=2\n", {}},
      Case{"here_document", shell, "cat <<EOF\nexport A=1\nEOF\nexport B=2\n", {"4:8 B=2"}},
      Case{"written_script_whose_dollars_are_escaped",
           shell,
           "cat > x.sh << EOF\nexport A=\\$B\nexport C=1\nEOF\n",
           {"2:8 A=?", "3:8 C=1"}},
      Case{"written_script_as_it_stands",
           shell,
           "cat > x.sh << 'EOF'\nexport A=\\$B\nEOF\n",
           {"2:8 A=$B"}},
      Case{"inner_script", shell, "docker run x bash -c 'cd y; export A=1'\n", {"1:36 A=1"}},
      Case{"inner_script_in_double_quotes",
           shell,
           "srun sh -xc \"\n  export A=1\n\"\n",
           {"2:10 A=1"}},
      Case{"inner_script_of_several_parts", shell, "bash -c 'export A='\"$B\"' x'\n", {}},
      Case{"array_for_docker", shell, "ARGS=(\n  --rm\n  -e A=1\n)\n", {"1:1 ARGS= l", "3:6 A=1"}},
      Case{"array_whose_dollars_are_escaped",
           shell,
           "ARGS=(\n  -e A=\\$B\n)\n",
           {"1:1 ARGS= l", "2:6 A=?"}},
      Case{"docker_in_a_variable",
           shell,
           "C=\"sudo docker\"\n$C run -e A=1 x\n",
           {"1:1 C=sudo docker l", "2:11 A=1"}},
      Case{"docker_by_the_name_of_a_variable",
           shell,
           "$DOCKER_CMD run -e A=1 x\n$CMD run -e B=1 x\n",
           {"1:20 A=1"}},
      Case{"script_for_another_host", shell, "ssh -T h \"export A=1\"\n", {"1:18 A=1"}},
      Case{"alias", shell, "alias d='docker run -e A=1 x'\n", {"1:24 A=1"}},
      Case{"here_document_with_tabs",
           shell,
           "cat <<-'E'\n\texport A=1\n\tE\nexport B=2\n",
           {"4:8 B=2"}},
      Case{"continued", shell, "export \\\n  A=1 \\\n  B=2\n", {"2:3 A=1", "3:3 B=2"}},
      Case{"crlf", shell, "export A=1\r\nexport B=2\r\n", {"1:8 A=1", "2:8 B=2"}},
      Case{"byte_order_mark",
           shell,
           "\xEF\xBB\xBF"
           "export A=1\n",
           {"1:8 A=1"}},
      Case{"default_value", shell, "export A=${A:-1}", {"1:8 A=1 c"}},
      Case{"known_variable", shell, "D=/opt\nexport A=$D/lib", {"1:1 D=/opt l", "2:8 A=/opt/lib"}},
      Case{"unknown_variable", shell, "export A=$B:x", {"1:8 A=?"}},
      Case{"command_substitution",
           shell,
           "export A=$(echo \")\" 'B=1') B=`date`",
           {"1:8 A=?", "1:28 B=?"}},
      Case{"appended", shell, "export A+=x", {"1:8 A=?"}},
      Case{"quoted_name", shell, "export \"A=1 2\"", {"1:8 A=1 2"}},
      Case{"mixed_quotes", shell, "export A=a'b'\"c\"\\d", {"1:8 A=abcd"}},
      Case{"in_a_branch",
           shell,
           "if true; then\n export A=1\nfi\nexport B=2",
           {"2:9 A=1 c", "4:8 B=2"}},
      Case{"in_a_loop",
           shell,
           "for x in 1 2; do export A=1; done; export B=2",
           {"1:25 A=1 c", "1:43 B=2"}},
      Case{"in_a_case",
           shell,
           "case $x in\na) export A=1 ;;\nesac\nexport B=2",
           {"2:11 A=1 c", "4:8 B=2"}},
      Case{"in_a_function", shell, "f() {\n export A=1\n}\nexport B=2", {"2:9 A=1 c", "4:8 B=2"}},
      Case{"behind_and", shell, "test -e x && export A=1\nexport B=2", {"1:21 A=1 c", "2:8 B=2"}},
      Case{"redirected", shell, "A=1 ./run > B=2 2>&1", {"1:1 A=1 o"}},
      Case{"csh", shell, "setenv A 1\nunsetenv B\n", {"1:8 A=1", "2:10 B u"}},
      Case{"fish",
           shell,
           "set -gx A 1\nset -x B 2\nset -e C\nset D 4\n",
           {"1:9 A=1", "2:8 B=2", "3:8 C u"}},
      Case{"errexit_is_no_unset", shell, "set -euo pipefail\nset -e\n", {}},
      Case{"container_options",
           shell,
           "docker run -e A=1 --env B=2 --env=C=3 image",
           {"1:15 A=1", "1:25 B=2", "1:35 C=3"}},
      Case{"mpirun", shell, "mpirun -np 2 -x A=1 ./run", {"1:17 A=1"}},
      Case{"open_quote", shell, "export A='1\nexport B=2\n", {"1:8 A=1\nexport B=2\n"}},
      Case{"arguments_are_none", shell, "./run --opt A=1 B=2", {}});

constexpr auto dotenv = InputKind::dotenv;

TEXTS(CommandsWithin,
      Case{"docker_exec_env",
           shell,
           "docker exec -d \"$C\" env A=1 ${B:+B=\"$B\"} C=2 bash x\n",
           {"1:25 A=1 o", "1:42 C=2 o"}},
      Case{"srun_env", shell, "srun -n 2 env A=1 ./x\n", {"1:15 A=1 o"}},
      Case{"env_with_a_file", shell, "env $(cat .env) A=1 ./x\n", {"1:17 A=1 o"}},
      Case{"env_with_a_command", shell, "env A=1 $COMMAND b B=2\n", {"1:5 A=1 o"}},
      Case{"env_that_prints", shell, "srun env\nsrun env A=1\n", {}},
      Case{"echo_of_env", shell, "echo srun env A=1 ./x\n", {}});

TEXTS(UnitsThatScriptsWrite,
      Case{"unit_by_its_text",
           shell,
           "cat > \"/etc/systemd/system/$service\" <<EOF\n[Service]\nEnvironment=A=1\nEOF\n",
           {"3:13 A=1"}});

TEXTS(Dotenv, Case{"dotenv_plain", dotenv, "A=1\nexport B=2\n", {"1:1 A=1", "2:8 B=2"}},
      Case{"dotenv_quotes",
           dotenv,
           "A=\"x y\" # c\nB='$z'\nC=a#b # c\n",
           {"1:1 A=x y", "2:1 B=$z", "3:1 C=a#b"}},
      Case{"dotenv_comment", dotenv, "#A=1\n  # B=2\n", {}},
      Case{"dotenv_expanded", dotenv, "A=${B}/x\n", {"1:1 A=?"}},
      Case{"dotenv_empty", dotenv, "A=\nB=1", {"1:1 A=", "2:1 B=1"}},
      Case{"dotenv_over_lines", dotenv, "A=\"1\n2\"\nB=3", {"1:1 A=1\n2", "3:1 B=3"}},
      Case{"rccl_conf",
           InputKind::rccl_conf,
           "# c\nNCCL_DEBUG=WARN\nA=\"x\"\n",
           {"2:1 NCCL_DEBUG=WARN", "3:1 A=\"x\""}});

constexpr auto docker = InputKind::dockerfile;

TEXTS(Dockerfiles,
      Case{"env_pairs", docker, "FROM x\nENV A=1 B=\"2 3\"\n", {"2:5 A=1", "2:9 B=2 3"}},
      Case{"env_old_form", docker, "ENV A 1 2\n", {"1:5 A=1 2"}},
      Case{"env_continued", docker, "ENV A=1 \\\n# c\n    B=2\n", {"1:5 A=1", "3:5 B=2"}},
      Case{"arg_is_none", docker, "ARG A=1\n", {}},
      Case{"env_from_arg", docker, "ENV A=$B C='$D'\n", {"1:5 A=?", "1:10 C=$D"}},
      Case{"env_from_the_default_of_an_arg",
           docker,
           "ARG G=1\nFROM x\nARG G\nENV A=$G B=${G}x C=$H\n",
           {"4:5 A=1 c", "4:10 B=1x c", "4:18 C=?"}},
      Case{"arg_of_another_stage", docker, "FROM x\nARG G=1\nFROM y\nENV A=$G\n", {"4:5 A=?"}},
      Case{"arg_that_is_not_known_any_more",
           docker,
           "FROM x\nARG G=1\nARG G=$H\nENV A=$G\n",
           {"4:5 A=?"}},
      Case{
          "run_lines", docker, "RUN export A=1 && \\\n    B=2 make\n", {"1:12 A=1", "2:5 B=2 co"}});

TEXTS(SystemdUnits,
      Case{"unit",
           InputKind::systemd,
           "[Service]\nEnvironment=A=1 \"B=2 3\"\nEnvironment='C=4'\n",
           {"2:13 A=1", "2:18 B=2 3", "3:14 C=4"}},
      Case{"unit_command",
           InputKind::systemd,
           "ExecStart=-/usr/bin/env A=1 \\\n  x\nExecStartPre=/bin/sh -c 'export B=2; y'\n"
           "ExecStop=docker run -e C=3 x\n",
           {"1:25 A=1 o", "3:33 B=2", "4:24 C=3"}},
      Case{"unit_comment", InputKind::systemd, "#Environment=A=1\n;Environment=B=1\n", {}},
      Case{"unit_reset",
           InputKind::systemd,
           "Environment=A=1\nEnvironment=\nEnvironment=B=2\n",
           {"3:13 B=2"}},
      Case{"unit_specifier",
           InputKind::systemd,
           "Environment=A=%h/x B=5%%\n",
           {"1:13 A=?", "1:20 B=5%"}},
      Case{"unit_unset", InputKind::systemd, "UnsetEnvironment=A\n", {"1:18 A u"}});

TEXTS(
    Modulefiles,
    Case{
        "tcl",
        InputKind::modulefile,
        "#%Module\nsetenv A 1\nsetenv B \"x y\"\nsetenv C $root\nprepend-path P /x\n# setenv D 1\n",
        {"2:8 A=1", "3:8 B=x y", "4:8 C=?", "5:14 P=?"}},
    Case{"lua",
         InputKind::modulefile,
         "setenv(\"A\", \"1\")\n-- setenv(\"B\",\"2\")\nsetenv(\"C\", x)\n",
         {"1:9 A=1", "3:9 C=?"}});

constexpr auto makefile = InputKind::makefile;

TEXTS(Makefiles,
      Case{"exported", makefile, "export A = 1 # x\nB := 2\nexport B\n", {"1:8 A=1", "2:1 B=2"}},
      Case{"kept_for_itself", makefile, "A := 1\nB ?= 2\nall: A = 3\n", {}},
      Case{"exports_all", makefile, "A := 1\nexport\n", {"1:1 A=1"}},
      Case{"expanded", makefile, "export A = $(B)\nexport C += 1\n", {"1:8 A=?", "2:8 C=?"}},
      Case{"of_a_target", makefile, "run: export A = 1\n", {"1:13 A=1"}},
      Case{"in_a_condition", makefile, "ifeq (a,b)\nexport A=1\nendif\n", {"2:8 A=1 c"}},
      Case{"in_a_definition", makefile, "define X\nexport A=1\nendef\n", {}},
      Case{"recipes",
           makefile,
           "run: x.py\n\t@A=1 python x.py\n\tB=$(C) \\\n\t  D=2 ./y\n",
           {"2:3 A=1 co", "3:2 B=? co", "4:4 D=2 co"}});

constexpr auto python = InputKind::python;

TEXTS(
    PythonSources, Case{"subscript", python, "import os\nos.environ[\"A\"] = '1'\n", {"2:13 A=1"}},
    Case{"in_a_def", python, "def f():\n    os.environ['A'] = \"1\"\n", {"2:17 A=1 c"}},
    Case{"setdefault", python, "os.environ.setdefault('A', '1')\n", {"1:24 A=1 c"}},
    Case{"putenv", python, "os.putenv('A', '1')\n", {"1:12 A=1"}},
    Case{"computed",
         python,
         "os.environ['A'] = str(x)\nos.environ['B'] = 'x' + y\n",
         {"1:13 A=?", "2:13 B=?"}},
    Case{"copy",
         python,
         "env = os.environ.copy()\nenv[\"A\"] = \"1\"\nenvs['B'] = '2'\n",
         {"2:6 A=1 o"}},
    Case{"copy_with_a_type",
         python,
         "e: dict[str, str] = dict(os.environ)\nif e['A'] == '1': e.pop('A')\ne.setdefault('B', "
         "'2')\n",
         {"2:26 A uco", "3:15 B=2 co"}},
    Case{"copy_with_more",
         python,
         "run(x, env={**os.environ, 'A': '1',\n  \"B\": str(2), 'C': '3'})\n",
         {"1:28 A=1 co", "2:4 B=? co"}},
    Case{"copy_in_a_map",
         python,
         "env = {**os.environ, 'A': '1'}\nenv['B'] = '2'\n",
         {"1:23 A=1 co", "2:6 B=2 o"}},
    Case{"no_copy", python, "env = os.environ.get('X')\nenv['A'] = '1'\nself.env['B'] = '2'\n", {}},
    Case{"compared", python, "if os.environ['A'] == '1': pass\nos.environ.get('B')\n", {}},
    Case{"removed",
         python,
         "del os.environ['A']\nos.environ.pop('B', None)\n",
         {"1:17 A u", "2:17 B u"}},
    Case{"in_a_string",
         python,
         "x = \"\"\"\nos.environ['A'] = '1'\n\"\"\"\n# os.environ['B'] = '1'\n",
         {}});

TEXTS(MarkdownPages,
      Case{"fenced",
           InputKind::markdown,
           "text\n```bash\nexport A=1\n```\nexport B=2\n",
           {"3:8 A=1"}},
      Case{"prompts", InputKind::markdown, "```console\n$ export A=1\n```\n", {"2:10 A=1"}},
      Case{"without_language",
           InputKind::markdown,
           "```\nexport A=1\n```\n~~~\nB=2\n~~~\n",
           {"2:8 A=1"}},
      Case{"other_language", InputKind::markdown, "```json\n{\"A\": 1}\n```\n", {}},
      Case{"python_block",
           InputKind::markdown,
           "````python\nos.environ['A'] = '1'\n```\n````\n",
           {"2:13 A=1"}},
      Case{"json", InputKind::markdown, "```json\n{\"env\": {\"A\": \"1\"}}\n```\n", {"2:11 A=1"}},
      Case{"stray_fence",
           InputKind::markdown,
           "```\nexport A=1\n```sh\nexport B=2\n```\n```sh\nexport C=3\n```\n",
           {"4:8 B=2", "7:8 C=3"}},
      Case{"fence_that_nobody_closes",
           InputKind::markdown,
           "```sh\nexport A=1\n```sh\nexport B=2\n```\n",
           {"2:8 A=1", "4:8 B=2"}},
      Case{"fence_within_a_longer_one",
           InputKind::markdown,
           "````md\n```sh\nexport A=1\n```\n````\n",
           {}},
      Case{"list_of_settings",
           InputKind::markdown,
           "```\n# set:\nA_B=1\n\nC=2\n```\n```\nA=1\nx=2\n```\n",
           {"3:1 A_B=1", "5:1 C=2"}},
      Case{"code_within_a_line",
           InputKind::markdown,
           "```x``` y\n\n```sh\nexport A=1\n```\n",
           {"4:8 A=1"}},
      Case{"open_fence", InputKind::markdown, "```bash\nexport A=1\n", {}});

TEXTS(OtherLanguagesOfPages,
      Case{"nix_in_a_list",
           InputKind::markdown,
           "1. x\n\n  ```nix\n  a.environment.A = \"1\";\n  ```\n",
           {"4:17 A=1"}},
      Case{"makefile_of_a_page", InputKind::markdown, "```make\nexport A = 1\n```\n", {"2:8 A=1"}});

TEXTS(RstPages,
      Case{"code_block",
           InputKind::rst,
           "Text\n\n.. code-block:: bash\n   :linenos:\n\n   export A=1\n\n   export B=2\nexport "
           "C=3\n",
           {"6:11 A=1", "8:11 B=2"}},
      Case{"literal", InputKind::rst, "Set this::\n\n  export A=1\n\nB::\n", {"3:10 A=1"}},
      Case{"python",
           InputKind::rst,
           "* x\n\n  .. code:: python\n\n     os.environ['A'] = '1'\n",
           {"5:18 A=1"}},
      Case{"other_language", InputKind::rst, ".. code-block:: json\n\n   {\"A\": 1}\n", {}},
      Case{"nothing_behind_it", InputKind::rst, ".. code-block:: bash\n", {}});

TEXTS(NixFiles,
      Case{"attributes",
           InputKind::nix,
           "{ services.ollama = {\n  environmentVariables = { A_B = \"1\"; };\n"
           "  rocmOverrideGfx = \"11.0.0\"; }; }\n",
           {"2:28 A_B=1", "3:3 HSA_OVERRIDE_GFX_VERSION=11.0.0"}},
      Case{"dotted", InputKind::nix, "environment.A = 1;\n\"B\" = \"x\";", {"1:13 A=1", "2:2 B=x"}},
      Case{"computed",
           InputKind::nix,
           "A = \"${x}/lib\";\nB = toString 1;\nC = \"a\" + b;\n",
           {"1:1 A=?", "2:1 B=?", "3:1 C=?"}},
      Case{"comments_and_texts",
           InputKind::nix,
           "# A = \"1\";\n/* B = \"1\"; */ x = ''\n  C = \"1\";\n'';\nD == \"1\"\n",
           {}},
      Case{"not_closed", InputKind::nix, "A = \"1", {"1:1 A=?"}});

TEXTS(Notebooks,
      Case{"cells",
           InputKind::notebook,
           R"({"cells": [
{"cell_type": "markdown", "source": ["```bash\n", "export A=1\n", "```"]},
{"cell_type": "code", "source": "import os\nos.environ['B'] = '1'"},
{"cell_type": "code", "source": ["%%bash\n",
"export C=1"]},
{"cell_type": "raw", "source": "export D=1"}]})",
           {"2:59 A=1", "3:46 B=1", "5:9 C=1"}},
      Case{"magics",
           InputKind::notebook,
           R"({"cells": [{"cell_type": "code", "source": ["%env A=1\n",
"!docker run \\\n",
"  -e B=2 x\n",
"%%writefile no\n"]}]})",
           {"1:51 A=1", "3:7 B=2"}},
      Case{"written_file",
           InputKind::notebook,
           R"({"cells": [{"cell_type": "code", "source": ["%%writefile a.env\n", "A=1"]},
{"cell_type": "code", "source": ["%%writefile a.bin\n", "B=1"]}]})",
           {"1:69 A=1"}},
      Case{"kernel_of_bash",
           InputKind::notebook,
           R"({"metadata": {"kernelspec": {"language": "bash"}},
"cells": [{"cell_type": "code", "source": "export A=1 # \ud83d\ude00"}]})",
           {"2:51 A=1"}},
      Case{"other_json", InputKind::notebook, R"({"cells": {"a": [1]}, "b": null})", {}});

TEXTS(ValuesOfCharts,
      Case{"filled_in_later",
           InputKind::values,
           "env:\n  A: \"{{ x }}\"\n  B: 1\n",
           {"2:3 A=?", "3:3 B=1"}},
      Case{"keys_that_end_so",
           InputKind::values,
           "workerEnvVars:\n  A: 1\n  B_2:\nray_env: [{name: C, value: x}]\n"
           "condaEnv: {A: 1, name: x}\nmyEnv: {A: {B: 1}}\nenvy: {A: 1}\nxEnv: [A]\nyEnv: {}\n",
           {"2:3 A=1", "3:3 B_2=", "4:18 C=x"}},
      Case{"map_and_lists",
           InputKind::values,
           "a:\n  env:\n    A: \"1\"\n  extraEnvVars:\n  - name: B\n    value: x\n  - C=2\n"
           "environment: [D=3]\nother: {E: 4}\n",
           {"3:5 A=1", "5:11 B=x", "7:5 C=2", "8:15 D=3"}},
      Case{"from_elsewhere",
           InputKind::values,
           "env:\n- name: A\n  valueFrom: {x: y}\n",
           {"2:9 A=?"}});

TEXTS(
    WrittenFiles,
    Case{"script",
         shell,
         "cat > run.sh << 'EOF'\nexport A=1\nB=2\nEOF\nexport C=3\n",
         {"5:8 C=3", "2:8 A=1", "3:1 B=2 l"}},
    Case{"tee", shell, "sudo tee /etc/environment <<E\nA=1\nE\n", {"2:1 A=1"}},
    Case{"tee_behind_a_function_or_a_variable",
         shell,
         "as_root tee -a x.env <<E\nA=1\nE\n$SUDO tee x.env > /dev/null <<E\nB=1\nE\n",
         {"2:1 A=1", "5:1 B=1"}},
    Case{"file_whose_name_is_in_a_variable",
         shell,
         "F=/etc/profile.d/x.sh\ncat > \"$F\" <<E\nexport A=1\nE\ntee $F <<E\nexport B=1\nE\n",
         {"1:1 F=/etc/profile.d/x.sh l", "3:8 A=1", "6:8 B=1"}},
    Case{"file_in_a_directory_that_is_not_known",
         shell,
         "cat > \"$HOME/x-$1.sh\" <<E\nexport A=1\nE\ncat > $F <<E\nexport B=1\nE\n",
         {"2:8 A=1"}},
    Case{"file_without_an_ending",
         shell,
         "cat > ~/.gpu_env <<E\n# GPUs\nexport A=1\nE\ncat > notes <<E\nA=1\nE\n",
         {"3:8 A=1"}},
    Case{"unit", shell, "cat <<-E >a.service\n\t[Service]\n\tEnvironment=A=1\n\tE\n", {"3:14 A=1"}},
    Case{"other_files", shell, "cat > notes.txt <<E\nexport A=1\nE\ncat <<E\nexport B=1\nE\n", {}},
    Case{"written_by_what_is_written",
         shell,
         "cat > a.sh <<E\nexport A=1\ncat > b.sh <<F\nexport B=1\nF\nE\n",
         {"2:8 A=1"}},
    Case{"printed",
         shell,
         "echo 'export A=1' >> ~/.bashrc\necho \"export B=$X\" | sudo tee -a /etc/profile.d/x.sh\n"
         "echo C=1 >> .env\nprintf 'export D=1\\nexport E=2\\n' >> ~/.profile\n"
         "grep -q F ~/.zshrc || echo \"export F='x'\" >> \"$HOME/.zshrc\"\n",
         {"1:14 A=1", "2:14 B=?", "3:6 C=1", "4:16 D=1", "4:28 E=2", "5:36 F=x"}},
    Case{"printed_as_it_is",
         shell,
         "echo A=$A >> /etc/environment\necho \"export B=\\\"${B}\\\"\" >> ~/.bashrc\n"
         "echo C=$A >> .env\n",
         {"3:6 C=?"}},
    Case{"printed_for_people",
         shell,
         "echo 'export A=1'\necho 'export B=1' >&2\necho 'export C=1' > notes.txt\n"
         "./x > .env; echo D=1\necho E=1 && ./x > .env\necho 'export F=' \"1\" >> ~/.bashrc\n",
         {}},
    Case{"manifest",
         shell,
         "kubectl apply -f - <<E\napiVersion: v1\nkind: Pod\nspec:\n  containers:\n"
         "  - env:\n    - name: A\n      value: \"1\"\n    - name: B\n      value: \"$X\"\nE\n"
         "kubectl get -f - <<E\nx: [\nE\n",
         {"7:13 A=1", "9:13 B=?"}},
    Case{"in_a_page",
         InputKind::markdown,
         "```bash\ncat > a.sh <<E\nexport A=1\nE\n```\n",
         {"3:8 A=1"}});

TEXTS(Charts,
      Case{"flux",
           InputKind::kubernetes,
           "apiVersion: x/v2\nkind: HelmRelease\nspec:\n  values:\n    app:\n      env:\n"
           "        A: \"1\"\n      containers:\n        - env:\n          - name: B\n"
           "            value: x\n",
           {"7:9 A=1", "10:19 B=x"}},
      Case{"argo",
           InputKind::kubernetes,
           "apiVersion: x/v1\nkind: Application\nspec:\n  sources:\n    - helm:\n"
           "        valuesObject:\n          extraEnv:\n            A: \"1\"\n",
           {"8:13 A=1"}},
      Case{"no_chart",
           InputKind::kubernetes,
           "apiVersion: v1\nkind: X\nspec:\n  values:\n    env:\n      A: \"1\"\n",
           {}});

TEXTS(ChartsAsText,
      Case{"values_of_a_helm_chart",
           InputKind::kubernetes,
           "kind: HelmChart\nspec:\n  valuesContent: |-\n    env:\n      A: 1\n",
           {"5:7 A=1"}},
      Case{"values_that_are_a_template",
           InputKind::kubernetes,
           "kind: HelmChartConfig\nspec:\n  valuesContent: |-\n    env: {{ x\n",
           {}});

TEXTS(Fallbacks, Case{"guard_in_a_list", shell, "export A=/x:${A:-}\n", {"1:8 A=? c"}},
      Case{"empty_alone", shell, "export A=${B:-}\n", {"1:8 A= c"}},
      Case{"compose",
           InputKind::compose,
           "services:\n  a:\n    environment:\n      A: ${A:-1}\n      B: ${B-x y}\n      C: ${C}\n"
           "      D: ${D:-${E}}\n      F: a${F:-b}\n",
           {"4:7 A=1", "5:7 B=x y", "6:7 C=?", "7:7 D=?", "8:7 F=?"}});

TEST(Collect, reads_the_environment_of_a_process) {
    using namespace std::string_view_literals;
    EXPECT_EQ(read(InputKind::process, "A=1\0B=x=y\0BASH_FUNC_f%%=()\0C=\0"sv),
              (Lines{"0:0 A=1", "0:0 B=x=y", "0:0 C="}));
}

TEST(Collect, keeps_what_is_known_of_a_value) {
    // What is not known stands in < >.
    auto const parts = [](InputKind kind, std::string_view text) {
        std::string result;
        for (auto const& one : read_assignments({.text = text, .kind = kind}))
            for (auto const& part : one.parts)
                result += part.is_known ? part.text : '<' + part.text + '>';
        return result;
    };
    EXPECT_EQ(parts(shell, "export L=$L:/x:"), "<${L}>:/x:");
    EXPECT_EQ(parts(shell, "R=/opt; L=\"${L:+$L:}$R/lib:$(pwd)/y\""), "<>/opt/lib:<>/y");
    EXPECT_EQ(parts(shell, "L=/x; M=$(x); M+=/y; N=$N; unset L"), "");
    EXPECT_EQ(parts(InputKind::dockerfile, "ENV L=$L:/x:\n"), "<$L>:/x:");
    // A distribution's image sets no paths but PATH.
    auto const last = [&](std::string_view text) {
        auto const all = read_assignments({.text = text, .kind = InputKind::dockerfile});
        return all.back().parts.back().is_known;
    };
    EXPECT_TRUE(last("FROM ubuntu:24.04 AS a\nENV L=/x:${L:-}\n"));
    EXPECT_TRUE(last("FROM docker.io/library/debian\nENV L=$Z/x:$L\n"));
    EXPECT_FALSE(last("FROM ubuntu\nENV L=/x:$LIBS\n"));
    EXPECT_FALSE(last("FROM ubuntu\nENV PATH=/x:$PATH\n"));
    EXPECT_FALSE(last("FROM ubuntu\nENV L=/y\nENV L=/x:$L\n"));
    EXPECT_FALSE(last("FROM ubuntu\nARG L\nENV L=/x:$L\n"));
    EXPECT_FALSE(last("FROM ubuntu AS debian\nENV L=/y\nFROM debian\nENV L=/x:$L\n"));
    EXPECT_FALSE(last("FROM rocm/dev-ubuntu-24.04\nENV L=/x:$L\n"));
    EXPECT_EQ(parts(InputKind::dockerfile, "ENV L /x:${L:-a}:/y:$(z)\n"), "/x:<${L:-a}>:/y:<$(z)>");
    // Of a value with very many pieces nothing is.
    std::string many = "L=";
    for (int i = 0; i < 100; ++i) many += "$L:";
    EXPECT_EQ(parts(shell, many), "");
}

TEST(Collect, keeps_environments_apart_that_never_meet) {
    auto const scopes = [](InputKind kind, std::string_view text) {
        std::vector<std::size_t> result;
        for (auto const& assignment : read_assignments({.text = text, .kind = kind}))
            result.push_back(assignment.scope);
        return result;
    };
    auto const stages = scopes(docker, "FROM x AS a\nENV A=1\nFROM y\nENV B=1\nFROM a\nENV C=1\n");
    ASSERT_EQ(stages.size(), 3u);
    EXPECT_NE(stages[0], stages[1]);
    EXPECT_EQ(stages[0], stages[2]);
    auto const blocks =
        scopes(InputKind::markdown, "```sh\nexport A=1\n```\n```sh\nexport B=1\n```\n");
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_NE(blocks[0], blocks[1]);
    auto const containers = scopes(shell, "export A=1\ndocker run -e B=2 x\ndocker run -e C=3 x\n");
    ASSERT_EQ(containers.size(), 3u);
    EXPECT_NE(containers[0], containers[1]);
    EXPECT_NE(containers[1], containers[2]);
}

TEST(Collect, notices_that_a_script_builds) {
    auto const builds = [](std::string_view text) {
        return read_assignments({.text = text, .kind = shell}).at(0).builds;
    };
    EXPECT_TRUE(builds("export A=1\npip install x\n"));
    EXPECT_TRUE(builds("export A=1\npython3 setup.py install\n"));
    EXPECT_FALSE(builds("export A=1\npython3 train.py\n"));
    EXPECT_TRUE(builds("export A=1\nexport LIBRARY_PATH=/opt/rocm/lib\n"));
    EXPECT_TRUE(builds("export A=1\ndocker build .\n"));
    EXPECT_FALSE(builds("docker build .\ndocker run -e A=1 x\n"));
}

/// Of each setting the GPUs that a condition around it names, "2: gfx1030 gfx1031"; those without
/// are left out.
Lines gpus_of(std::string_view text, InputKind kind = shell) {
    Lines lines;
    for (auto const& one : read_assignments({.text = text, .kind = kind}))
        if (!one.for_gpus.empty())
            lines.push_back(fmt::format("{}: {}", one.line, fmt::join(one.for_gpus, " ")));
    return lines;
}

TEST(Collect, notices_for_which_gpus_a_branch_of_case_is) {
    auto const* const text = R"(case "$ARCH" in
    gfx1030 | gfx1031) export A=1 ;;
    "gfx11"*)
        if [ -n "$B" ]; then export A=2; fi ;;
    *) export A=3 ;;
esac
export A=4
)";
    EXPECT_EQ(gpus_of(text), (Lines{"2: gfx1030 gfx1031", "4: gfx11"}));
    EXPECT_EQ(gpus_of("case $A in gfx906) B=1;; *) B=2;; esac"), Lines{"1: gfx906"});
}

TEST(Collect, notices_for_which_gpus_a_branch_of_if_is) {
    auto const* const text = R"(if rocminfo | grep -q gfx1031; then
    export A=1
elif [[ "$ARCH" == *gfx1100* || $ARCH = gfx1101 ]]; then
    export A=2
else
    export A=3
fi
if ! grep gfx906 x; then export A=4; fi
if [ "$ARCH" != gfx906 ]; then export A=5; fi
[[ $ARCH == gfx942 ]] && export A=6 && export B=6
cmake -DAMDGPU_TARGETS=gfx90a && export A=7
if [ "$my_gfx1" = 1 ]; then export A=8; fi
)";
    EXPECT_EQ(gpus_of(text),
              (Lines{"2: gfx1031", "4: gfx1100 gfx1101", "10: gfx942", "10: gfx942"}));
}

TEST(Collect, notices_for_which_gpus_a_branch_in_python_is) {
    auto const* const text = R"(if arch.startswith("gfx103") or arch in ("gfx1011", 'gfx1012'):
    os.environ["A"] = "1"
elif arch != "gfx906":
    os.environ["A"] = "2"
elif arch not in ["gfx900"]:
    os.environ["A"] = "3"
else:
    os.environ["A"] = "4"
def use_gfx9():
    os.environ["A"] = "5"
)";
    EXPECT_EQ(gpus_of(text, python), Lines{"2: gfx103 gfx1011 gfx1012"});
}

TEST(Collect, reads_a_condition_that_names_more_gpus_than_people_write) {
    std::string patterns;
    for (auto i = 0; i < 1000; ++i) patterns += fmt::format("gfx{}|", 1000 + i);
    EXPECT_EQ(gpus_of("case $A in " + patterns + "x) B=1 ;; esac"), Lines{});
    std::string deep;
    for (auto i = 0; i < 20'000; ++i) deep += "if x; then A=1\n";
    EXPECT_EQ(gpus_of(deep), Lines{});
}

TEST(Collect, knows_for_which_gpus_a_text_is) {
    auto const stated = [](std::string_view text, InputKind kind = shell, std::string file = "f") {
        return stated_gpus({.text = text, .file = std::move(file), .kind = kind});
    };
    EXPECT_EQ(stated("ENV A=1\n", docker, "Dockerfile.gfx1151"), Lines{"gfx1151"});
    EXPECT_EQ(stated("export PYTORCH_ROCM_ARCH=\"gfx1030;gfx1100\"\n"),
              (Lines{"gfx1030", "gfx1100"}));
    EXPECT_EQ(stated("hipcc --offload-arch=gfx90a:xnack+ x.hip\n"), Lines{"gfx90a"});
    EXPECT_EQ(stated("# Only for gfx1151\nexport A=1\n"), Lines{});
    EXPECT_EQ(stated("echo gfx1151\n"), Lines{});
    EXPECT_EQ(stated("  a:\n    image: x/vllm-gfx1151:latest\n", InputKind::compose),
              Lines{"gfx1151"});
    EXPECT_EQ(stated("FROM x/rocm:gfx1151\n", docker), Lines{"gfx1151"});
    EXPECT_EQ(stated("# Strix Halo (gfx1151)\n", InputKind::markdown), Lines{"gfx1151"});
    // What it names beside them may get the setting as well.
    EXPECT_EQ(stated("On gfx1151, or on an MI300X\n", InputKind::markdown),
              (Lines{"gfx1151", "mi300"}));
    EXPECT_EQ(stated("#SBATCH --gpus-per-node=mi250:8\n"), Lines{"mi250"});
    EXPECT_EQ(stated("#SBATCH --constraint=\"MI210|MI250\"\n"), (Lines{"mi210", "mi250"}));
    EXPECT_EQ(stated("export A=1 # MI250\n# --constraint=MI300A\n"), Lines{});
    EXPECT_EQ(stated("gfxdefault and gfx\n", InputKind::markdown), Lines{});
}

TEST(Collect, notices_that_a_text_uses_what_it_sets) {
    auto const is_used = [](std::string_view text, InputKind kind = shell) {
        return read_assignments({.text = text, .kind = kind}).at(0).is_used_here;
    };
    EXPECT_TRUE(is_used("export A=1\ncmake -DX=${A}/x\n"));
    EXPECT_TRUE(is_used("variables:\n  A: \"1\"\nscript:\n  - ls $A\n", InputKind::values));
    EXPECT_FALSE(is_used("export A=1\n./x $AB $\n"));
    EXPECT_FALSE(is_used("if [ -z \"$A\" ]; then export A=1; fi\necho \"- A: ${A}\"\n"));
    EXPECT_TRUE(is_used("ARG A=1\nRUN A=${A} ./x\n", docker));
    EXPECT_FALSE(is_used("RUN A=${A} ./x\n", docker));
    EXPECT_FALSE(is_used("export A=${A:-1}\ndocker run -e A=\"$A\" x\n"));
}

TEST(Collect, notices_that_a_script_starts_ranks) {
    auto const launches = [](std::string_view text) {
        return read_assignments({.text = text, .kind = shell}).at(0).launches;
    };
    EXPECT_TRUE(launches("export A=1\nsrun ./train\n"));
    EXPECT_TRUE(launches("export A=1\n/usr/bin/mpirun -n 2 x"));
    EXPECT_TRUE(launches("export A=$(scontrol show hostnames $SLURM_NODELIST | head -n 1)"));
    EXPECT_TRUE(launches("export A=1 RANK=$1\n"));
    EXPECT_FALSE(launches("export A=1 RANK=0\ntorchrun x\n"));
    EXPECT_FALSE(launches("export A=1\nMYSLURM_X=2\nsruns\n"));
}

TEST(Collect, tells_what_a_document_shows) {
    auto const is_shown = [](InputKind kind, std::string_view text) {
        return read_assignments({.text = text, .kind = kind}).at(0).is_shown;
    };
    EXPECT_TRUE(is_shown(InputKind::markdown, "```sh\nexport A=1\n```\n"));
    EXPECT_FALSE(is_shown(shell, "export A=1\n"));
}

TEST(Collect, notices_a_text_for_nvidia_alone) {
    auto const is_for_nvidia = [](std::string_view text, InputKind kind = shell) {
        return read_assignments({.text = text, .kind = kind}).at(0).for_nvidia;
    };
    EXPECT_TRUE(is_for_nvidia("mpirun -x NCCL_IB_SL=0 /x/nccl-tests/build/all_reduce_perf\n"));
    EXPECT_FALSE(is_for_nvidia("export NCCL_IB_SL=0 # NVIDIA and AMD\n"));
    EXPECT_FALSE(is_for_nvidia("export NCCL_IB_SL=0\n"));
    EXPECT_TRUE(
        is_for_nvidia("AMD\n```sh\nexport NCCL_IB_SL=0 # H100\n```\n", InputKind::markdown));
    constexpr auto page = InputKind::markdown;
    EXPECT_TRUE(is_for_nvidia(
        "# ROCm\n## CUDA at run time\n```sh\nexport CUDA_VISIBLE_DEVICES=0\n```\n", page));
    EXPECT_FALSE(is_for_nvidia("# CUDA\n```sh\nexport HSA_ENABLE_SDMA=0\n```\n", page));
    EXPECT_FALSE(is_for_nvidia("# CUDA or HIP\n```sh\nexport CUDA_VISIBLE_DEVICES=0\n```\n", page));
    EXPECT_TRUE(read_assignments({.text = "export CUDA_VISIBLE_DEVICES=0\n",
                                  .file = "qwen/H100/serve.sh",
                                  .kind = shell})
                    .at(0)
                    .for_nvidia);
}

TEST(Collect, notices_words_that_say_why_a_setting_is_there) {
    auto const is_asked_for = [](InputKind kind, std::string_view text) {
        return read_assignments({.text = text, .kind = kind}).at(0).in_branch;
    };
    EXPECT_TRUE(is_asked_for(shell, "# SDMA hangs on this host\nexport B=2 A=1\n"));
    EXPECT_TRUE(is_asked_for(shell, "export A=1  # workaround for issue 5\n"));
    EXPECT_TRUE(is_asked_for(shell, "# 0 prevents artifacts / memory faults\nexport A=1\n"));
    EXPECT_TRUE(is_asked_for(shell, "# Critical for Strix Halo\nexport A=1\n"));
    EXPECT_FALSE(is_asked_for(shell, "# exchange the default for debugging\nexport A=1\n"));
    EXPECT_FALSE(is_asked_for(shell, "# a crash\n\nexport A=1\n"));
    auto const page = [](std::string_view words) {
        return std::string(words) + "\n\n```sh\nexport A=1\nexport B=2\n```\n";
    };
    EXPECT_TRUE(is_asked_for(InputKind::markdown, page("### Verbose logs")));
    EXPECT_FALSE(is_asked_for(InputKind::markdown, page("### Start the server")));
    EXPECT_TRUE(is_asked_for(InputKind::markdown, page("The response:")));
    EXPECT_TRUE(is_asked_for(InputKind::markdown, "# Start\n```sh\nexport A=1\n```\n"));
    EXPECT_TRUE(is_asked_for(InputKind::markdown, "```ini\n[Service]\nEnvironment=A=1\n```\n"));
    EXPECT_FALSE(is_asked_for(InputKind::markdown, "# Start\n```sh\nexport A=1\n./x\n```\n"));
    EXPECT_TRUE(is_asked_for(InputKind::rst, "::\n\n   export A=1\n\nText\n"));
}

TEST(Collect, takes_a_statement_of_a_function_for_one_that_is_called_or_not) {
    auto const is_asked_for = [](std::string_view text) {
        return read_assignments({.text = text, .kind = python}).at(0).in_branch;
    };
    EXPECT_TRUE(is_asked_for("def show():\n    x = 1\n    os.environ['A'] = '1'\n"));
    EXPECT_TRUE(is_asked_for("def main():\n  if x:\n    os.environ['A'] = '1'\n"));
    EXPECT_FALSE(is_asked_for("def main():\n    os.environ['A'] = '1'\n"));
    EXPECT_FALSE(is_asked_for("os.environ['A'] = '1'\n"));
}

TEST(Collect, leaves_open_what_the_outer_shell_puts_in) {
    EXPECT_EQ(read(shell, "bash -c \"export A='$B' C='\\$D'\"\n"), (Lines{"1:17 A=?", "1:24 C=?"}));
    EXPECT_EQ(read(shell, "A=1\ndocker run -e A=\"$A\" -e B=$A x\n"),
              (Lines{"1:1 A=1 l", "2:15 A=?", "2:25 B=1"}));
}

struct KindCase {
    std::string path, text;
    std::optional<InputKind> kind;
};

TEST(Collect, tells_options_of_a_command_from_settings_of_the_shell) {
    auto const all = read_assignments(
        {.text = "export A=1\ndocker run -e B=1 image\nmpirun -x C=1 ./a\n", .kind = shell});
    ASSERT_EQ(all.size(), 3U);
    EXPECT_FALSE(all[0].is_option);
    EXPECT_TRUE(all[1].is_option);
    EXPECT_TRUE(all[2].is_option);
}

TEST(Collect, tells_lines_and_columns_of_what_pages_and_notebooks_show) {
    auto const places = [](InputKind kind, std::string_view text) {
        std::vector<std::pair<std::size_t, std::size_t>> result;
        for (auto const& one : read_assignments({.text = text, .kind = kind}))
            result.emplace_back(one.line, one.column);
        return result;
    };
    using Places = std::vector<std::pair<std::size_t, std::size_t>>;
    EXPECT_EQ(places(InputKind::rst, ".. code-block:: bash\n\n   export A=1\n"), (Places{{3, 11}}));
    EXPECT_EQ(places(InputKind::nix, "{\n  environment.A_B = \"1\";\n}\n"), (Places{{2, 15}}));
    EXPECT_EQ(places(InputKind::notebook,
                     "{\"cells\": [{\"cell_type\": \"code\",\n\"source\": [\n"
                     "\"x = 1\\n\",\n\"!A=1 run\"]}]}"),
              (Places{{4, 3}}));
}

TEST(Collect, tells_which_settings_of_a_notebook_reach_programs) {
    auto const found =
        read_assignments({.text = "{\"cells\": [{\"cell_type\": \"code\", \"source\": "
                                  "[\"%env A=1\\n\", \"!B=2\"]}]}",
                          .kind = InputKind::notebook});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_TRUE(found[0].exported);
    EXPECT_FALSE(found[1].exported);
}

TEST(Collect, knows_kinds_by_names_and_first_bytes) {
    std::vector<KindCase> const cases{
        {"a.sh", "", shell},
        {"dir/Dockerfile", "", docker},
        {"Dockerfile.rocm", "", docker},
        {".env", "", dotenv},
        {"prod.env", "", dotenv},
        {".env.local", "", dotenv},
        {"x.service", "", InputKind::systemd},
        {"README.md", "", InputKind::markdown},
        {"gpu.mdx", "", InputKind::markdown},
        {"guide.rst", "", InputKind::rst},
        {"run.ipynb", "", InputKind::notebook},
        {"ollama.nix", "", InputKind::nix},
        {"vllm.container", "", InputKind::systemd},
        {"Dockerfile_amd", "", docker},
        {"Dockerfile-rocm", "", docker},
        {"Dockerfiles", "", std::nullopt},
        {".env.example", "", dotenv},
        {"local.env.example", "", dotenv},
        {"site.profile.example", "", shell},
        {"my-values.yaml", "vllm:\n  env:\n    A: 1\n", InputKind::values},
        {"/etc/rccl.conf", "", InputKind::rccl_conf},
        {"job", "#!/bin/bash\n#SBATCH -N 2\n", InputKind::slurm},
        {"run", "#!/usr/bin/env bash\n", shell},
        {"tool", "#!/usr/bin/python3\n", python},
        {"torch.def", "Bootstrap: docker\nFrom: rocm/pytorch\n", shell},
        {"rocm/6.2", "#%Module1.0\n", InputKind::modulefile},
        {"pod.yaml", "apiVersion: v1\nkind: Pod\n", InputKind::kubernetes},
        {"x.yml", "services:\n  a: {}\n", InputKind::compose},
        {"docker-compose.yaml", "", InputKind::compose},
        {"compose.yml", "volumes: {}\n", InputKind::compose},
        {"docker-compose.gpu.yml", "x: {{.Task.Slot}}\n", InputKind::compose},
        {"composer.yaml", "", std::nullopt},
        {"/etc/environment.d/90-rocm.conf", "", InputKind::dotenv},
        {"ollama.service.d/gpu.conf", "", InputKind::systemd},
        {"/etc/systemd/system.conf.d/gpu.conf", "", InputKind::systemd},
        {"nginx.conf", "", std::nullopt},
        {"gpu.conf", "[Service]\nEnvironment=A=1\n", InputKind::systemd},
        {"gpu.conf", "[Service]\nx=1\n", std::nullopt},
        {"devcontainer.json", "{ // x\n \"containerEnv\": {\n\t\"A\": \"1\"}}", InputKind::values},
        {"launch.json", R"({"x": {"env": {"HSA_A": 1}}})", InputKind::values},
        {"package.json", R"({"env": {"node": true}, "a": {}})", std::nullopt},
        {"x.json", "{", std::nullopt},
        {".env-template", "", InputKind::dotenv},
        {"/root/.deepspeed_env", "", InputKind::dotenv},
        {".envrc", "#!/bin/bash\n", shell},
        {"src/Makefile", "", InputKind::makefile},
        {"rules.mk", "", InputKind::makefile},
        {"ci.yml", "on: push\njobs: {}\n", InputKind::workflow},
        {"ci.yml", "on: push\njobs:\n  a: docker ps --format '{{.Names}}'\n", InputKind::workflow},
        {".gitlab-ci.yml", "variables:\n  A: 1\n", InputKind::values},
        {"megatron.yaml", "workerEnvVars:\n  # x\n  A_1: 2\n", InputKind::values},
        {"ray.yaml", "head:\n  containerEnv:\n    - name: A\n", InputKind::values},
        {"action.yml", "runs:\n  using: composite\n", InputKind::workflow},
        {"values.yaml", "image: x\n", std::nullopt},
        {"chart.yaml", "apiVersion: v1\nkind: Pod\nname: {{ .Values.name }}\n", std::nullopt},
        {"values.yaml", "env:\n  A: \"{{ x }}/{{ y }}\"\nb: '{{ \"x\" }}'\n", InputKind::values},
        {"chart.yaml", "env:\n  A: \"{{ \"x\" }}\"\n", std::nullopt},
        {"chart.yaml", "env:\n  \"A\": {{ x }}\n", std::nullopt},
        {"notes.txt", "export A=1\n", std::nullopt},
        {"binary",
         std::string("\x7f"
                     "ELF\0",
                     5),
         std::nullopt},
    };
    for (auto const& one : cases) EXPECT_EQ(kind_of(one.path, one.text), one.kind) << one.path;
}

/// What is no YAML, or too much of it, is an error; it must be that one.
std::vector<Assignment> read_any(std::string_view text, InputKind kind) {
    try {
        return read_assignments({.text = text, .kind = kind});
    } catch (Error const&) {
        return {};
    }
}

TEST(Collect, reads_json_with_comments_and_tabs) {
    auto const* const text =
        "{\n\t// \"env\": {\"A\": 1}\n\t\"env\": {\"B\": \"//x\\\"//\"}, // y\n}\n";
    EXPECT_EQ(read(InputKind::values, text), Lines{"3:11 B=//x\"//"});
}

TEST(Collect, reads_hostile_texts_to_their_end) {
    constexpr std::size_t size = 200'000;
    auto const repeated = [](std::string_view text) {
        std::string result;
        while (result.size() < size) result += text;
        return result;
    };
    std::vector<std::string> texts{repeated("("),
                                   repeated("{"),
                                   repeated("${"),
                                   repeated("$("),
                                   repeated("`"),
                                   repeated("\\"),
                                   repeated("<<E\n"),
                                   repeated("A=$A$A;"),
                                   repeated("docker run -e A=1 "),
                                   repeated("```sh\n"),
                                   repeated("\n"),
                                   repeated("os.environ["),
                                   repeated("if "),
                                   repeated("FROM a as a\n"),
                                   repeated("["),
                                   repeated("- "),
                                   repeated("a: &a {b: *a}\n"),
                                   repeated("services: {a: {environment: [A=1]}}\n---\n"),
                                   repeated(std::string(1, '\0')),
                                   repeated("\xff\xfe"),
                                   "A=1\nexport A=" + repeated("$A")};
    for (auto const& text : texts)
        for (int kind = 0; kind <= static_cast<int>(InputKind::python); ++kind)
            for (auto const& assignment : read_any(text, static_cast<InputKind>(kind)))
                EXPECT_TRUE(is_variable_name(assignment.name)) << text.substr(0, 20);
}

/// The bytes of all values: what a text may cost.
std::size_t value_bytes(std::vector<Assignment> const& assignments) {
    std::size_t bytes = 0;
    for (auto const& assignment : assignments) bytes += assignment.value.value_or("").size();
    return bytes;
}

constexpr std::size_t long_value = 60'000;

/// A long value, and many that repeat it, each in a few bytes.
std::string amplified(std::string_view separator) {
    auto text = "A=" + std::string(long_value, 'x');
    for (int i = 0; i < 1000; ++i) text += fmt::format("{}export B{}=$A", separator, i);
    return text;
}

TEST(Collect, repeats_a_long_value_only_so_often) {
    auto const found = read_any(amplified("\n"), InputKind::shell);
    ASSERT_EQ(found.size(), 1001U);
    EXPECT_EQ(found[1].value, found[0].value);
    EXPECT_EQ(found.back().value, std::nullopt);
    EXPECT_LE(value_bytes(found), long_value + max_repeated_bytes);
}

TEST(Collect, counts_what_all_parts_of_a_text_repeat_together) {
    std::string dockerfile, page;
    for (int i = 0; i < 3; ++i) {
        dockerfile += "RUN " + amplified(";") + '\n';
        page += "```sh\n" + amplified("\n") + "\n```\n";
    }
    for (auto const& found :
         {read_any(dockerfile, InputKind::dockerfile), read_any(page, InputKind::markdown)}) {
        EXPECT_EQ(found.size(), 3003U);
        EXPECT_LE(value_bytes(found), 3 * long_value + max_repeated_bytes);
    }
}

TEST(Collect, knows_long_values_that_stand_in_the_text_itself) {
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += fmt::format("export A{}={}\n", i, std::string(60'000, 'x'));
    for (auto const& assignment : read_any(text, InputKind::shell))
        EXPECT_TRUE(assignment.value) << assignment.name;
}

TEST(Collect, refuses_more_settings_than_people_write) {
    struct {
        InputKind kind;
        std::string_view line;
    } const lines[] = {{InputKind::shell, "A=\n"},
                       {InputKind::shell, "unset A\n"},
                       {InputKind::dotenv, "A=\n"},
                       {InputKind::dockerfile, "ENV A=1\n"},
                       {InputKind::dockerfile, "RUN A=1\n"},
                       {InputKind::systemd, "[Service]\nEnvironment=A=1\n"},
                       {InputKind::modulefile, "setenv A 1\n"},
                       {InputKind::python, "import os\nos.environ['A'] = '1'\n"},
                       {InputKind::markdown, "```sh\nA=1\n```\n"}};
    for (auto const& [kind, line] : lines) {
        std::string text;
        for (std::size_t i = 0; i <= max_settings; ++i) text += line;
        EXPECT_EQ(read_assignments({.text = line, .kind = kind}).size(), 1U) << line;
        EXPECT_THROW((void)read_assignments({.text = text, .kind = kind}), Error) << line;
    }
}

}  // namespace
}  // namespace rocmtune
