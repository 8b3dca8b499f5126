//! Programs and libraries that are missing, and versions that do not fit.

use crate::Case;
use recovery_types::AdjustmentKind as Kind;

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case { by: "pip, conflict", kind: Kind::MatchVersion, there: &[],
        text: "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed.\n\
               streamkit 1.4.0 requires protobuf<4, but you have protobuf 5.26.1 which is incompatible." },
    Case { by: "pip, python version", kind: Kind::MatchVersion, there: &[],
        text: "ERROR: Package 'ledgerly' requires a different Python: 3.9.18 not in '>=3.11'" },
    Case { by: "npm, peers", kind: Kind::MatchVersion, there: &[],
        text: "npm error code ERESOLVE\n\
               npm error ERESOLVE unable to resolve dependency tree\n\
               npm error\n\
               npm error While resolving: shop@0.1.0\n\
               npm error Found: react@19.0.0\n\
               npm error node_modules/react\n\
               npm error   react@\"^19.0.0\" from the root project\n\
               npm error\n\
               npm error Could not resolve dependency:\n\
               npm error peer react@\"^18.2.0\" from datepick@4.1.0" },
    Case { by: "npm, engines", kind: Kind::MatchVersion, there: &[],
        text: "npm warn EBADENGINE Unsupported engine {\n\
               npm warn EBADENGINE   package: 'quickbuild@3.0.0',\n\
               npm warn EBADENGINE   required: { node: '>=22.0.0' },\n\
               npm warn EBADENGINE   current: { node: 'v20.20.2', npm: '10.8.2' }\n\
               npm warn EBADENGINE }" },
    Case { by: "yarn, engines", kind: Kind::MatchVersion, there: &[],
        text: "error quickbuild@3.0.0: The engine \"node\" is incompatible with this module. Expected version \">=22\". Got \"20.20.2\"" },
    Case { by: "cargo, MSRV", kind: Kind::MatchVersion, there: &[],
        text: "error: rustc 1.78.0 is not supported by the following package:\n\
               \x20 icu_table@2.1.0 requires rustc 1.82\n\
               " },
    Case { by: "cargo, component", kind: Kind::InstallCommand, there: &[],
        text: "error: no such command: `clippy`\n\
               \n\
               help: view all installed commands with `cargo --list`" },
    Case { by: "cargo, linker", kind: Kind::InstallCommand, there: &[],
        text: "error: linker `cc` not found\n\
               \x20 |\n\
               \x20 = note: No such file or directory (os error 2)" },
    Case { by: "openssl-sys", kind: Kind::InstallLibrary, there: &[],
        text: "The system library `openssl` required by crate `openssl-sys` was not found.\n\
               The file `openssl.pc` needs to be installed and the PKG_CONFIG_PATH environment variable must contain its parent directory." },
    Case { by: "go, version", kind: Kind::MatchVersion, there: &[],
        text: "go: go.mod requires go >= 1.24 (running go 1.22.5; GOTOOLCHAIN=local)" },
    Case { by: "bundler, ruby", kind: Kind::MatchVersion, there: &[],
        text: "Your Ruby version is 3.1.2, but your Gemfile specified 3.3.0" },
    Case { by: "java, class file", kind: Kind::MatchVersion, there: &[],
        text: "Error: LinkageError occurred while loading main class Shop\n\
               \tjava.lang.UnsupportedClassVersionError: Shop has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0" },
    Case { by: "javac, release", kind: Kind::MatchVersion, there: &[],
        text: "error: release version 25 not supported\nUsage: javac <options> <source files>" },
    Case { by: "gcc, header", kind: Kind::InstallLibrary, there: &[],
        text: "digest.c:2:10: fatal error: openssl/ssl.h: No such file or directory\n\
               \x20   2 | #include <openssl/ssl.h>\n\
               \x20     |          ^~~~~~~~~~~~~~~\n\
               compilation terminated." },
    Case { by: "gcc, unknown header", kind: Kind::InstallLibrary, there: &[],
        text: "scan.c:1:10: fatal error: fictlib/scan.h: No such file or directory" },
    Case { by: "ld", kind: Kind::InstallLibrary, there: &[],
        text: "/usr/bin/ld: cannot find -lpq: No such file or directory\n\
               collect2: error: ld returned 1 exit status" },
    Case { by: "loader", kind: Kind::InstallLibrary, there: &[],
        text: "./viewer: error while loading shared libraries: libGL.so.1: cannot open shared object file: No such file or directory" },
    Case { by: "pkg-config", kind: Kind::InstallLibrary, there: &[],
        text: "Package libxml-2.0 was not found in the pkg-config search path.\n\
               Perhaps you should add the directory containing `libxml-2.0.pc'\n\
               to the PKG_CONFIG_PATH environment variable\n\
               Package 'libxml-2.0', required by 'virtual:world', not found" },
    Case { by: "cmake", kind: Kind::InstallLibrary, there: &[],
        text: "CMake Error at /usr/share/cmake/Modules/FindPackageHandleStandardArgs.cmake:230 (message):\n\
               \x20 Could NOT find CURL (missing: CURL_LIBRARY CURL_INCLUDE_DIR)" },
    Case { by: "psycopg2 build", kind: Kind::InstallLibrary, there: &[],
        text: "Error: pg_config executable not found.\n\
               \n\
               pg_config is required to build psycopg2 from source." },
    Case { by: "glibc", kind: Kind::MatchVersion, there: &[],
        text: "./worker: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./worker)" },
    Case { by: "bash", kind: Kind::InstallCommand, there: &[],
        text: "bash: line 1: jq: command not found" },
    Case { by: "zsh", kind: Kind::InstallCommand, there: &[],
        text: "zsh: command not found: pg_dump" },
    Case { by: "sh, node tool", kind: Kind::InstallCommand, there: &[],
        text: "> shop@0.1.0 build\n> tsc -p .\n\nsh: 1: tsc: not found" },
    Case { by: "make", kind: Kind::InstallCommand, there: &[],
        text: "protoc --go_out=. shop.proto\n\
               make: protoc: No such file or directory\n\
               make: *** [Makefile:2: gen] Error 127" },
    Case { by: "env", kind: Kind::InstallCommand, there: &[],
        text: "/usr/bin/env: ‘python’: No such file or directory" },
    Case { by: "node, spawn", kind: Kind::InstallCommand, there: &[],
        text: "Error: spawn ffmpeg ENOENT\n\
               \x20   at ChildProcess._handle.onexit (node:internal/child_process:285:19)" },
    Case { by: "go, exec", kind: Kind::InstallCommand, there: &[],
        text: "exec: \"gcc\": executable file not found in $PATH" },
    Case { by: "windows", kind: Kind::InstallCommand, there: &[],
        text: "'terraform' is not recognized as an internal or external command,\n\
               operable program or batch file." },
    Case { by: "apt", kind: Kind::CorrectCommand, there: &[],
        text: "Reading package lists...\n\
               Building dependency tree...\n\
               E: Unable to locate package libfoo-dev" },
    Case { by: "terraform, version", kind: Kind::MatchVersion, there: &[],
        text: "Error: Unsupported Terraform Core version\n\
               \n\
               \x20 on main.tf line 1, in terraform:\n\
               \x20  1: terraform { required_version = \">= 1.12\" }\n\
               \n\
               This configuration does not support Terraform version 1.11.4. To proceed," },
    Case { by: "cmake, version", kind: Kind::MatchVersion, there: &[],
        text: "CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n\
               \x20 CMake 3.28 or higher is required.  You are running version 3.22.1" },
    Case { by: "postgres, data", kind: Kind::MatchVersion, there: &[],
        text: "FATAL:  database files are incompatible with server\n\
               DETAIL:  The data directory was initialized by PostgreSQL version 14, which is not compatible with this version 16.2." },
];
