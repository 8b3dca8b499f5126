//! C, C++, Fortran and Ada: compilers, linkers, make, ninja, cmake, meson, bazel, conan, vcpkg, spack, checkers, and the
//! other tools that print `file:line: error`.

use super::{Role, Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{
    CommandNotFound, CompileError, ConnectionFailure, FileNotFound, InvalidArgument, LintError, MissingDependency,
    Other, RuntimeException, TestFailure,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // file:line[:column]: error, the shape that most compilers share.
    decisive("compiler.gnu-error", ": error:", CompileError, "src/a.c:3:1: error: expected expression before '}' token", "az provider: error: the following arguments are required")
        .pattern(r#"^(?:\[[^\]]*\] )?"?[^\s:"(][^:"(]*(?::\\[^:"(]*)?"?[:(,]? ?\(?(?:line )?\d+(?:[:.,-]\d+)*\)? ?: error:"#),
    decisive("compiler.gnu-fatal", "fatal error:", CompileError, "a.c:1:10: fatal error: 'test.h' file not found", "no fatal error: all fine")
        .pattern(r"(?::\d+|\(\d+\)) ?: fatal error: "),
    decisive("compiler.numbered-error", " error", CompileError, "x.c(197): error #18: expected a \")\"", "x.c(197): warning #18: error handler missing")
        .pattern(r#"^"?(?:[A-Za-z]:)?[^\s:"(]+"?[ ,]{0,2}(?:\(\d+(?:,\d+)*\)|line \d+|\d+) ?:? +(?:fatal |catastrophic )?error ?(?:#?\d|\[[A-Z]|\()"#),
    decisive("compiler.line-error", "\", line ", CompileError, "\"main.cpp\", line 21: Error:  #5: cannot open source input file", "\"main.cpp\", line 21: Warning: unused")
        .pattern(r#"^"[^"]+", line \d+: (?:[Ee]rror|ERROR|Fatal|fatal)"#),
    decisive("compiler.paren-error", "): error", CompileError, "header.h(20): error C2065: undeclared identifier", "x(1): errors are fun").pattern(r"\(\d+(?:,\d+)*\) ?: (?:fatal )?error(?: [A-Z]{1,6}\d+)?\b"),
    decisive("compiler.fortran-error", "error: ", CompileError, "Error: Symbol 'x' at (1) has no IMPLICIT type", "Error: could not open (1) file").pattern(r"^(?:Fatal )?Error: .+ at \(1\)"),
    decisive("compiler.gnat-error", ".adb:", CompileError, "main.adb:12:05: \"Foo\" is undefined", "main.adb:12:05: warning: unused").pattern(r#"^\S+\.adb:\d+:\d+: (?:"|missing|expected|error|invalid|no )"#),
    summary("compiler.count", " generated.", CompileError, "2 errors generated.", "2 warnings generated.").pattern(r"\b[1-9]\d* errors? generated\."),
    decisive("compiler.no-source", "no such file or directory: '", FileNotFound, "clang: error: no such file or directory: 'x.c'", "no such file").pattern(r"^clang\S*: error: "),
    decisive("compiler.no-input", "no input files", InvalidArgument, "gcc: fatal error: no input files", "input files").pattern(r"error: no input files"),
    decisive("msvc.code", "error c", CompileError, "a.cpp(3): error C2143: syntax error", "error code 3").pattern(r"\berror C\d{4}\b"),
    decisive("fortran.runtime", "fortran runtime error:", RuntimeException, "Fortran runtime error: Index '9' of dimension 1 of array 'a' above upper bound of 3", "runtime").tool("gfortran"),

    // Linkers and loaders
    decisive("ld.undefined-reference", "undefined reference to", CompileError, "main.o:(.text+0x15): undefined reference to `clock_gettime'", "JavaScript undefined reference"),
    decisive("ld.undefined-symbols", "undefined symbols for architecture", CompileError, "Undefined symbols for architecture arm64:", "undefined symbols"),
    decisive("ld.cannot-find", "cannot find -l", MissingDependency, "/usr/bin/ld: cannot find -lssl: No such file or directory", "cannot find -list option").pattern(r"\bld(?:\.\w+)?(?:-\d+)?: (?:error: )?cannot find -l"),
    decisive("ld.library-not-found", "library not found for -l", MissingDependency, "ld: library not found for -lssl", "library found"),
    decisive("ld.lld-error", "ld.lld", CompileError, "ld.lld: error: undefined symbol: foo", "ld.lld: warning: duplicate symbol").pattern(r"\bld\.lld(?:-\d+)?: error:"),
    suggestive("ld.exit", "returned 1 exit status", CompileError, "collect2: error: ld returned 1 exit status", "the command returned 1 exit status").pattern(r"\bld returned 1 exit status"),
    decisive("ld.multiple-definition", "multiple definition of", CompileError, "b.o: in function `f': multiple definition of `f'; a.o: first defined here", "multiple definitions"),
    decisive("ld.linker-failed", "linker command failed", CompileError, "clang: error: linker command failed with exit code 1", "the linker command ran"),
    decisive("ld.duplicate-symbol", "duplicate symbol", CompileError, "duplicate symbol '_main' in:", "warning: duplicate symbol found").pattern(r"^(?:ld: )?(?:\d+ )?duplicate symbols? (?:'|_|for architecture)"),
    decisive("ld.region", "' overflowed by ", CompileError, "ld: region `FLASH' overflowed by 1204 bytes", "overflowed").tool("ld").pattern(r"region [`']\w+' overflowed by \d+ bytes"),
    decisive("ld.will-not-fit", "' will not fit in region", CompileError, "ld: app.elf section `.text' will not fit in region `FLASH'", "fits").tool("ld"),
    decisive("msvc.link", "error lnk", CompileError, "main.obj : error LNK2019: unresolved external symbol foo", "error links").pattern(r"\berror LNK\d{4}"),
    decisive("loader.shared-library", "error while loading shared libraries", MissingDependency, "./app: error while loading shared libraries: libssl.so.1: cannot open shared object file", "loading shared libraries"),
    decisive("loader.glibc", "version `glibc", MissingDependency, "./app: /lib/libc.so.6: version `GLIBC_2.34' not found (required by ./app)", "version GLIBC_2.34").pattern(r"not found"),
    decisive("loader.dyld", "library not loaded:", MissingDependency, "dyld[123]: Library not loaded: @rpath/libfoo.dylib", "library loaded"),

    // make, ninja, cmake, autoconf, meson, bazel
    suggestive("make.stop", "make", Other, "make: *** [Makefile:12: all] Error 2", "make: Nothing to be done").tool("make").pattern(r"^(?:g|mingw32-)?make(?:\[\d+\])?: \*\*\* .*Error \d+"),
    decisive("make.no-rule", "no rule to make target", InvalidArgument, "make: *** No rule to make target 'instal'.  Stop.", "there is no rule").pattern(r"No rule to make target [^,]*(?:\.  Stop|$)"),
    decisive("make.no-source", "no rule to make target", FileNotFound, "make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.", "make: *** No rule to make target 'x'.  Stop.").pattern(r", needed by"),
    decisive("make.no-makefile", "no targets specified and no makefile found", FileNotFound, "make: *** No targets specified and no makefile found.  Stop.", "no targets"),
    decisive("make.missing-separator", "missing separator", CompileError, "Makefile:3: *** missing separator.  Stop.", "a missing separator page"). pattern(r"\*\*\* missing separator"),
    success("make.built", "built target", "[100%] Built target app", "not built").pattern(r"^(?:\[100%\] )?Built target"),
    decisive("make.command", "no such file or directory", CommandNotFound, "make: asciidoctor: No such file or directory", "cp: x: No such file or directory").tool("make").pattern(r"^g?make(?:\[\d+\])?: [\w.+-]+: No such file or directory"),
    suggestive("ninja.stopped", "ninja: build stopped", CompileError, "ninja: build stopped: subcommand failed.", "ninja: build finished").tool("ninja").role(Role::Echo),
    suggestive("ninja.failed", "failed: ", CompileError, "FAILED: CMakeFiles/app.dir/main.cpp.o", "FAILED: 0 tests").pattern(r"^FAILED: (?:\[code=\d+\] )?\S+\.(?:o|obj|so|a|exe|pcm|lib)\b"),
    decisive("ninja.target", "ninja: error: unknown target", InvalidArgument, "ninja: error: unknown target 'foo'", "ninja").tool("ninja"),
    decisive("ninja.missing", "missing and no known rule to make it", FileNotFound, "ninja: error: 'b.c', needed by 'a', missing and no known rule to make it", "missing").tool("ninja"),
    summary("cmake.error", "cmake error", CompileError, "CMake Error at CMakeLists.txt:12 (add_executable):", "CMake Error at CMakeLists.txt:12 (message):").pattern(r"^CMake Error(?: at .*\((?:[^m]|m[^e])|: (?:[^T]|T[^h])| in)"),
    suggestive("cmake.message", "cmake error at", CompileError, "CMake Error at CMakeLists.txt:12 (message):", "CMake Warning at CMakeLists.txt:12 (message):").pattern(r"^CMake Error at .*\(message\)"),
    summary("cmake.incomplete", "configuring incomplete, errors occurred", CompileError, "-- Configuring incomplete, errors occurred!", "-- Configuring done"),
    decisive("cmake.not-found", "could not find a package configuration file provided by", MissingDependency, "Could not find a package configuration file provided by \"Qt6\" with any of", "could not find it"),
    decisive("cmake.could-not-find", "could not find", MissingDependency, "  Could NOT find OpenSSL, try to set the path to OpenSSL root folder", "-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)").pattern(r"^Could NOT find \w+(?:,| \(missing)"),
    decisive("cmake.no-source", "cannot find source file", FileNotFound, "  Cannot find source file:", "source file"),
    decisive("cmake.source-directory", "the source directory", FileNotFound, "CMake Error: The source directory \"/x\" does not exist.", "the source directory is").pattern(r"does not (?:exist|appear)"),
    decisive("configure.missing", "configure: error:", MissingDependency, "configure: error: no acceptable C compiler found in $PATH", "configure: errors fixed"),
    decisive("pkg-config.missing", "was not found in the pkg-config search path", MissingDependency, "Package openssl was not found in the pkg-config search path.", "found in the search path"),
    decisive("pkg-config.no-package", "no package '", MissingDependency, "No package 'gtk+-3.0' found", "no packages found").pattern(r"^No package '[^']+' found"),
    decisive("meson.error", "meson.build:", CompileError, "meson.build:12:0: ERROR: Unknown function \"exe\".", "meson.build:12: WARNING: old").pattern(r"ERROR: "),
    decisive("meson.missing", "meson.build:", MissingDependency, "meson.build:12:0: ERROR: Dependency \"glib-2.0\" not found, tried pkgconfig", "meson.build:12:0: ERROR: Unknown function").pattern(r"ERROR: .*\bnot found"),
    decisive("meson.version", "but project requires", MissingDependency, "meson.build:1:0: ERROR: Meson version is 0.49.2 but project requires >=1.9.", "project requires").tool("meson"),
    decisive("bazel.error", "error: ", CompileError, "ERROR: /src/BUILD:3:10: Compiling main.cc failed: (Exit 1)", "ERROR: no such package").pattern(r"^ERROR: \S+BUILD(?:\.bazel)?:\d+"),
    decisive("bazel.no-package", "no such package '", FileNotFound, "ERROR: no such package 'foo': BUILD file not found in any of the following directories.", "no such package"),
    decisive("bazel.no-target", "no such target '", InvalidArgument, "ERROR: no such target '//app:mian': target 'mian' not declared in package 'app'", "no such target"),
    summary("bazel.tests", "tests: ", TestFailure, "Executed 4 out of 4 tests: 3 tests pass and 1 fails locally.", "Executed 4 out of 4 tests: 4 tests pass.").pattern(r"^Executed \d+ out of \d+ tests?: .*\b[1-9]\d* fails?\b"),
    suggestive("bazel.failed", "build did not complete successfully", CompileError, "ERROR: Build did NOT complete successfully", "INFO: Build completed successfully").tool("bazel").role(Role::Echo),
    success("bazel.ok", "build completed successfully", "INFO: Build completed successfully, 4 total actions", "ERROR: Build did NOT complete successfully"),

    // Package managers
    decisive("conan.missing", "missing prebuilt package for", MissingDependency, "ERROR: Missing prebuilt package for 'zlib/1.3.1'", "prebuilt package"),
    decisive("conan.unresolved", "not resolved:", MissingDependency, "ERROR: Package 'acme/9.9' not resolved: Unable to find 'acme/9.9' in remotes.", "resolved: x").pattern(r"Package '[^']*' not resolved: (?:Unable|No|Version|Package)").tool("conan"),
    decisive("conan.missing-binary", "missing binary:", MissingDependency, "ERROR: Missing binary: zlib/1.3:1a2b3c", "a binary: x").pattern(r"^ERROR: Missing binary:").tool("conan"),
    decisive("conan.conflict", "version conflict:", MissingDependency, "ERROR: Version conflict: Conflict between zlib/1.2 and zlib/1.3 in the graph.", "no version conflict").tool("conan"),
    decisive("conan.no-file", "conanfile not found at", FileNotFound, "ERROR: Conanfile not found at /srv/app/conanfile.txt", "conanfile found").tool("conan"),
    decisive("conan.load", "error loading conanfile at", CompileError, "ERROR: Error loading conanfile at '/srv/app/conanfile.py'", "loading conanfile").tool("conan"),
    decisive("vcpkg.failed", "failed with: build_failed", CompileError, "error: building fmt:x64-linux failed with: BUILD_FAILED", "build_failed"),
    decisive("vcpkg.port", "does not exist", MissingDependency, "error: acme-log:x64-linux: The port directory (/opt/vcpkg/ports/acme-log) does not exist", "x does not exist").pattern(r"port directory|error: package \S+ does not exist|while loading \S+:").tool("vcpkg"),
    decisive("vcpkg.version", "no version database entry for", MissingDependency, "error: no version database entry for acme at 9.9", "version database").tool("vcpkg"),
    decisive("vcpkg.mirror", "failed to download from mirror set", ConnectionFailure, "error: Failed to download from mirror set", "mirror set").tool("vcpkg"),
    decisive("spack.package", "==> error: package '", MissingDependency, "==> Error: Package 'acme-log' not found.", "package 'x'").pattern(r"not found").tool("spack"),
    decisive("spack.concretize", "concretization failed", MissingDependency, "==> Error: concretization failed for the following reasons:", "concretized").tool("spack"),
    decisive("spack.fetch", "all fetchers failed", ConnectionFailure, "==> Error: FetchError: All fetchers failed for spack-stage-zlib-1.3", "fetchers").tool("spack"),

    // Tests
    summary("gtest.failed", "[  failed  ]", TestFailure, "[  FAILED  ] Parser.ReadsEmpty (0 ms)", "12: [  FAILED  ] Parser.ReadsEmpty").line_start(),
    summary("gtest.count", "failed test", TestFailure, " 2 FAILED TESTS", "0 FAILED TESTS").pattern(r"^[1-9]\d* FAILED TESTS?"),
    success("gtest.ok", "[  passed  ]", "[  PASSED  ] 3 tests.", "[  FAILED  ] 1 test"),
    summary("ctest.failed", "the following tests failed:", TestFailure, "The following tests FAILED:", "the tests passed"),
    summary("ctest.percent", "tests failed out of", TestFailure, "67% tests passed, 1 tests failed out of 3", "100% tests passed, 0 tests failed out of 3").pattern(r"\b[1-9]\d* tests? failed out of"),
    success("ctest.ok", "100% tests passed", "100% tests passed, 0 tests failed out of 3", "67% tests passed, 1 tests failed out of 3").role(Role::WholeRun),
    decisive("catch2.failed", "test cases:", TestFailure, "test cases:  3 |  2 passed | 1 failed", "test cases: 3 | 3 passed").pattern(r"[1-9]\d* failed"),

    // Checkers
    decisive("flawfinder.results", "final results:", LintError, "FINAL RESULTS:", "results").tool("flawfinder").line_start(),
    decisive("clang-tidy.as-error", "warnings-as-errors]", LintError, "a.cpp:3:5: error: x [bugprone-foo,-warnings-as-errors]", "warnings").tool("clang-tidy"),
    decisive("clang-format.not-formatted", "code should be clang-formatted", LintError, "a.c:3:5: error: code should be clang-formatted [-Wclang-format-violations]", "format").tool("clang-format"),
    decisive("cppcheck.error", "(error) ", LintError, "[a.c:3]: (error) Null pointer dereference", "an (error) x").tool("cppcheck").pattern(r"^(?:\[\S+:\d+\])?:? ?\(error\)"),
    decisive("cppcheck.id", ": error: ", LintError, "leak.c:2:48: error: Memory leak: p [memleak]", "a.c:3:1: error: x [-Werror]").tool("cppcheck").pattern(r": error: .*\[(?:memleak|[a-z]+[A-Z]\w*)\]$"),
    summary("cmake-lint.found", "found lint:", LintError, "found lint:", "no lint").tool("cmake-lint").line_start(),
    decisive("krazy.count", "krazy", LintError, "Krazy2 found 3 issues", "crazy").tool("krazy").pattern(r"(?i)krazy2? .*[1-9]\d* issues?"),
    decisive("cpplint.rule", "] [", LintError, "a.h(245):  Line ends in whitespace.  [whitespace/end_of_line] [4]", "a.h(245): ok").tool("cpplint").pattern(r"\[\w+/\w+\] \[\d\]$"),
];
