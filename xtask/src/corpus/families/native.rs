//! C, C++ and what builds them.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

const TYPO: &[(&str, &str)] = &[(
    "main.c",
    "#include <stdio.h>\n\n\
                 int main(void) {\n    int count = 3\n    printf(\"%d\\n\", cuont);\n    return 0;\n\
                 }\n",
)];

const HELLO: &[(&str, &str)] =
    &[("main.c", "#include <stdio.h>\nint main(void) { puts(\"error: none\"); return 0; }\n")];

const NULL_POINTER: &[(&str, &str)] = &[(
    "crash.c",
    "#include <stdlib.h>\n\
                 int main(void) { int *p = getenv(\"NOT_SET\") ? malloc(4) : NULL; *p = 1; \
                 return 0; }\n",
)];

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "gcc",
        language: Some("C"),
        needs: &["gcc", "g++"],
        cases: &[
            case("gcc-syntax", COMPILE, "gcc -o app main.c", "a missing semicolon and an undeclared name").files(TYPO),
            case("gcc-header", DEPENDENCY, "gcc -c tls.c", "a header that is not installed")
                .files(&[("tls.c", "#include <no_such_library/tls.h>\nint main(void) { return 0; }\n")]),
            case("gcc-undefined", COMPILE, "gcc main.c -o app", "the linker finds no definition")
                .files(&[("main.c", "int compute(int);\nint main(void) { return compute(2); }\n")]),
            case("gcc-library", DEPENDENCY, "gcc main.c -o app -lno_such_library", "a library that is not installed")
                .files(HELLO),
            case("gcc-duplicate", COMPILE, "gcc a.c b.c -o app", "two definitions of one symbol")
                .files(&[("a.c", "int level = 1;\nint main(void) { return level; }\n"), ("b.c", "int level = 2;\n")]),
            case("gcc-werror", COMPILE, "gcc -Wall -Wextra -Werror -c w.c", "warnings are errors")
                .files(&[("w.c", "int f(int a, int b) { int unused; if (a = b) return 1; return 0; }\n")]),
            case("gcc-template", COMPILE, "g++ -std=c++17 -c t.cpp", "a template that does not fit").files(&[(
                "t.cpp",
                "#include <algorithm>\n#include <list>\n\
                 int main() { std::list<int> l{3, 1}; std::sort(l.begin(), l.end()); }\n",
            )]),
            case("gcc-input", MISSING_FILE, "gcc -O2 src/main.c -o app", "the source file is not there"),
            case("gcc-option", BAD_ARGUMENT, "gcc -std=c42 -fno-such-thing main.c", "options gcc does not have")
                .files(HELLO),
            case(
                "gcc-disk",
                DISK_FULL,
                "tiny-disk gcc -g -c big.c -o disk/big.o",
                "the object file does not fit on the disk",
            )
            .files(&[("big.c", "char table[400000] = {1};\n")]),
            case(
                "gcc-crash",
                EXCEPTION,
                "gcc crash.c -o crash && bash -c './crash; exit $?'",
                "the program dereferences a null pointer",
            )
            .files(NULL_POINTER),
            case(
                "gcc-asan",
                EXCEPTION,
                "gcc -g -fsanitize=address over.c -o over && ./over",
                "a write past a heap block",
            )
            .files(&[(
                "over.c",
                "#include <stdlib.h>\n\
                 int main(int n, char **v) { char *p = malloc(8); p[8 + n] = 1; free(p); \
                 return 0; }\n",
            )]),
            case("gcc-abort", EXCEPTION, "g++ t.cpp -o t && bash -c './t; exit $?'", "a C++ exception nobody catches")
                .files(&[(
                    "t.cpp",
                    "#include <stdexcept>\nint main() { throw std::out_of_range(\"index 9 of 4\"); }\n",
                )]),
            case(
                "gcc-ok",
                BENIGN,
                "gcc -Wall -o app main.c && ./app && echo 'build finished: 0 errors, 0 warnings'",
                "compiles and runs",
            )
            .files(HELLO),
            case("gcc-ok-warning", BENIGN, "gcc -Wall -c w.c && ls *.o", "warnings only")
                .files(&[("w.c", "int f(void) { int error; return 0; }\n")]),
        ],
    },
    Tool {
        name: "clang",
        language: Some("C"),
        needs: &["clang"],
        cases: &[
            case("clang-syntax", COMPILE, "clang -c main.c", "a missing semicolon and an undeclared name").files(TYPO),
            case("clang-type", COMPILE, "clang++ -c c.cpp", "a value of the wrong type").files(&[(
                "c.cpp",
                "#include <string>\nstruct Job { int id; };\n\
                 int main() { Job j{1}; std::string s = j; return j.name; }\n",
            )]),
            case("clang-linker", COMPILE, "clang main.c -o app", "the linker finds no definition").files(&[(
                "main.c",
                "extern void start_engine(void);\nint main(void) { start_engine(); return 0; }\n",
            )]),
            case("clang-ok", BENIGN, "clang main.c -o app && ./app", "compiles and runs").files(HELLO),
        ],
    },
    Tool {
        name: "clang-tidy",
        language: Some("C"),
        needs: &["clang-tidy", "clang-format", "cppcheck"],
        cases: &[
            case(
                "clang-tidy-finding",
                LINT,
                "clang-tidy --quiet --checks='bugprone-*' --warnings-as-errors='*' a.c --",
                "a finding that gates",
            )
            .files(&[(
                "a.c",
                "int f(int a) { if (a) ; return a / 2 * 1; }\n\
                 char g(char *s) { return sizeof(s) / sizeof(*s); }\n",
            )]),
            case("clang-tidy-format", LINT, "clang-format --dry-run --Werror a.c", "the formatting differs")
                .files(&[("a.c", "int  f( int a ){return a;}\n")]),
            case(
                "clang-tidy-cppcheck",
                LINT,
                "cppcheck --error-exitcode=1 --enable=warning leak.c",
                "a memory leak is found",
            )
            .files(&[("leak.c", "#include <stdlib.h>\nint f(void) { char *p = malloc(10); p[11] = 0; return 0; }\n")]),
            case(
                "clang-tidy-ok",
                BENIGN,
                "cppcheck --error-exitcode=1 ok.c && clang-format --dry-run --Werror ok.c && \
                 echo 'no errors'",
                "nothing is found",
            )
            .files(&[("ok.c", "int f(int a) { return a; }\n")]),
        ],
    },
    Tool {
        name: "make",
        language: None,
        needs: &["make", "gcc"],
        cases: &[
            case("make-target", BAD_ARGUMENT, "make deploy", "no rule for the target")
                .files(&[("Makefile", "all:\n\t@echo built\n")]),
            case("make-prerequisite", MISSING_FILE, "make", "a prerequisite that is not there").files(&[(
                "Makefile",
                "app: main.o util.o\n\tcc -o app main.o util.o\nmain.o: main.c config.h\n\
                 \tcc -c main.c\n",
            )]),
            case("make-none", MISSING_FILE, "make", "no makefile"),
            case("make-separator", COMPILE, "make", "spaces where a tab is wanted")
                .files(&[("Makefile", "all:\n    echo built\n")]),
            case("make-compile", COMPILE, "make -j2 app", "a source file does not compile").files(&[
                ("Makefile", "CFLAGS = -Wall\napp: main.o\n\t$(CC) -o app main.o\n"),
                ("main.c", "int main(void) { return missing(; }\n"),
            ]),
            case("make-test", TEST, "make check", "the test program reports a failure").files(&[(
                "Makefile",
                "check:\n\t@echo 'ok 1 - adds'\n\t@echo 'not ok 2 - subtracts'\n\
                 \t@echo '#   expected 1, got 3'\n\t@echo '1..2'\n\
                 \t@echo '# failed 1 of 2 tests'; exit 1\n",
            )]),
            case("make-command", MISSING_COMMAND, "make docs", "the recipe calls a program that is not installed")
                .files(&[("Makefile", "docs:\n\tasciidoctor-pdf manual.adoc\n")]),
            case("make-ok", BENIGN, "make test", "the tests pass")
                .files(&[("Makefile", "test:\n\t-@echo 'retrying... ok'\n\t@echo '12 passed, 0 failed'\n")]),
            case("make-ok-ignored", BENIGN, "make clean", "an ignored error")
                .files(&[("Makefile", "clean:\n\t-rm build.tmp\n\t@echo cleaned\n")]),
        ],
    },
    Tool {
        name: "cmake",
        language: Some("C++"),
        needs: &["cmake", "make"],
        cases: &[
            case("cmake-package", DEPENDENCY, "cmake -S . -B build", "a package that is not installed").files(&[(
                "CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.16)\nproject(app C)\n\
                 find_package(NoSuchLibrary 2.0 REQUIRED)\n",
            )]),
            case("cmake-none", MISSING_FILE, "cmake -S app -B build", "no such source directory"),
            case("cmake-command", COMPILE, "cmake -B build .", "a command cmake does not know").files(&[(
                "CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.16)\nproject(app C)\nadd_executible(app main.c)\n",
            )]),
            case("cmake-source", MISSING_FILE, "cmake -B build .", "a listed source file is not there").files(&[
                (
                    "CMakeLists.txt",
                    "cmake_minimum_required(VERSION 3.16)\nproject(app C)\n\
                 add_executable(app main.c parser.c)\n",
                ),
                ("main.c", "int main(void){return 0;}\n"),
            ]),
            case(
                "cmake-build",
                COMPILE,
                "cmake -B build . > /dev/null && cmake --build build",
                "a source file does not compile",
            )
            .files(&[
                (
                    "CMakeLists.txt",
                    "cmake_minimum_required(VERSION 3.16)\nproject(app CXX)\n\
                 add_executable(app main.cpp)\n",
                ),
                ("main.cpp", "#include <vector>\nint main() { std::vector<int> v; v.push(1); }\n"),
            ]),
            case(
                "cmake-ctest",
                TEST,
                "cmake -B build . > /dev/null && cmake --build build > /dev/null && ctest \
                 --test-dir build --output-on-failure",
                "a test fails",
            )
            .files(&[
                (
                    "CMakeLists.txt",
                    "cmake_minimum_required(VERSION 3.20)\nproject(app C)\nenable_testing()\n\
                 add_executable(sum sum.c)\nadd_test(NAME sum_small COMMAND sum 2)\n\
                 add_test(NAME sum_none COMMAND sum)\n",
                ),
                (
                    "sum.c",
                    "#include <stdio.h>\n\
                 int main(int n, char **v) { if (n != 2) { puts(\"sum.c:2: want 1 \
                 argument\"); return 1; } return 0; }\n",
                ),
            ]),
            case(
                "cmake-ok",
                BENIGN,
                "cmake -B build . && cmake --build build",
                "configures, with failed probes, and builds",
            )
            .files(&[
                (
                    "CMakeLists.txt",
                    "cmake_minimum_required(VERSION 3.16)\nproject(app C)\n\
                 include(CheckIncludeFile)\n\
                 check_include_file(no_such_header.h HAVE_NO_SUCH)\n\
                 check_include_file(stdio.h HAVE_STDIO)\nadd_executable(app main.c)\n",
                ),
                ("main.c", "int main(void){return 0;}\n"),
            ]),
        ],
    },
];
