//! Further compiled and functional languages.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "ghc",
        language: Some("Haskell"),
        needs: &["ghc"],
        cases: &[
            case("ghc-type", COMPILE, "ghc Main.hs", "a value of the wrong type")
                .files(&[("Main.hs", "main :: IO ()\nmain = putStrLn (1 + \"a\")\n")]),
            case("ghc-scope", COMPILE, "ghc Main.hs", "a name that is not in scope")
                .files(&[("Main.hs", "main = print (totl [1, 2])\n")]),
            case("ghc-module", DEPENDENCY, "ghc Main.hs", "a module that is not installed")
                .files(&[("Main.hs", "import Data.Aeson.Next\nmain = print 1\n")]),
            case("ghc-exception", EXCEPTION, "ghc -v0 Main.hs && ./Main", "the head of an empty list")
                .files(&[("Main.hs", "main = print (head ([] :: [Int]))\n")]),
            case("ghc-ok", BENIGN, "ghc Main.hs && ./Main", "compiles and runs")
                .files(&[("Main.hs", "main = putStrLn \"parse error recovery: ok\"\n")]),
        ],
    },
    Tool {
        name: "elixir",
        language: Some("Elixir"),
        needs: &["elixir", "mix"],
        cases: &[
            case("elixir-syntax", COMPILE, "elixir app.exs", "an end too few")
                .files(&[("app.exs", "defmodule A do\n  def f(x) do\n    x + 1\nend\n")]),
            case("elixir-undefined", EXCEPTION, "elixir app.exs", "a function that does not exist")
                .files(&[("app.exs", "IO.puts(Billing.total([1]))\n")]),
            case("elixir-match", EXCEPTION, "elixir app.exs", "a match that fails")
                .files(&[("app.exs", "{:ok, v} = {:error, :enoent}\nIO.inspect(v)\n")]),
            case("elixir-test", TEST, "elixir test.exs", "an assertion fails").files(&[(
                "test.exs",
                "ExUnit.start(seed: 0)\n\n\
                 defmodule CartTest do\n  use ExUnit.Case\n  test \"sum\", do: assert(1 + 1 \
                 == 3)\n  test \"timeout is handled\", do: assert(true)\n\
                 end\n",
            )]),
            case("elixir-mix", MISSING_FILE, "mix compile", "no mix.exs here"),
            case("elixir-ok", BENIGN, "elixir test.exs", "all pass").files(&[(
                "test.exs",
                "ExUnit.start(seed: 0)\n\n\
                 defmodule ErrorTest do\n  use ExUnit.Case\n  test \"fails on 503\", do: \
                 assert(true)\n\
                 end\n",
            )]),
        ],
    },
    Tool {
        name: "mcs",
        language: Some("C#"),
        needs: &["mcs"],
        cases: &[
            case("mcs-syntax", COMPILE, "mcs app.cs", "a missing semicolon")
                .files(&[("app.cs", "class App {\n    static void Main() {\n        int limit = 429\n    }\n}\n")]),
            case("mcs-name", COMPILE, "mcs app.cs", "names and types that do not fit").files(&[(
                "app.cs",
                "using System;\n\
                 class App {\n    static void Main() {\n        string s = 3;\n        \
                 Console.WriteLin(total);\n    }\n\
                 }\n",
            )]),
            case("mcs-namespace", DEPENDENCY, "mcs app.cs", "a library that is not referenced").files(&[(
                "app.cs",
                "using Newtonsoft.Json;\n\
                 class App { static void Main() { JsonConvert.SerializeObject(1); } }\n",
            )]),
            case("mcs-ok", BENIGN, "mcs app.cs && ls app.exe", "compiles with a warning")
                .files(&[("app.cs", "class App { static void Main() { int error; } }\n")]),
        ],
    },
    Tool {
        name: "gfortran",
        language: Some("Fortran"),
        needs: &["gfortran"],
        cases: &[
            case("gfortran-type", COMPILE, "gfortran app.f90", "an undeclared name")
                .files(&[("app.f90", "program app\n  implicit none\n  integer :: n\n  n = total + 1\nend program\n")]),
            case(
                "gfortran-bounds",
                EXCEPTION,
                "gfortran -fcheck=bounds app.f90 -o app && ./app",
                "an index out of bounds",
            )
            .files(&[(
                "app.f90",
                "program app\n  integer :: a(3), i\n  i = command_argument_count() + 9\n  \
                 print *, a(i)\n\
                 end program\n",
            )]),
        ],
    },
    Tool {
        name: "ocaml",
        language: Some("OCaml"),
        needs: &["ocamlc", "ocaml"],
        cases: &[
            case("ocaml-type", COMPILE, "ocamlc app.ml", "a value of the wrong type")
                .files(&[("app.ml", "let port : int = \"80\"\nlet () = print_int port\n")]),
            case("ocaml-module", DEPENDENCY, "ocamlc app.ml", "a module that is not there")
                .files(&[("app.ml", "let () = Yojson.Safe.pretty_print ()\n")]),
            case("ocaml-exception", EXCEPTION, "ocaml app.ml", "an exception nobody catches")
                .files(&[("app.ml", "let () = ignore (List.find (fun x -> x > 3) [1; 2])\n")]),
        ],
    },
    Tool {
        name: "nim",
        language: Some("Nim"),
        needs: &["nim"],
        cases: &[
            case("nim-type", COMPILE, "nim c --hints:off app.nim", "a value of the wrong type")
                .files(&[("app.nim", "let port: int = \"80\"\necho prot\n")]),
            case("nim-import", DEPENDENCY, "nim c --hints:off app.nim", "a module that is not there")
                .files(&[("app.nim", "import jester_next\n")]),
        ],
    },
    Tool {
        name: "protoc",
        language: Some("Protobuf"),
        needs: &["protoc"],
        cases: &[
            case("protoc-syntax", COMPILE, "protoc --python_out=. user.proto", "a field without a number")
                .files(&[("user.proto", "syntax = \"proto3\";\nmessage User {\n  string name;\n}\n")]),
            case("protoc-import", DEPENDENCY, "protoc --python_out=. user.proto", "an import that is not there").files(
                &[(
                    "user.proto",
                    "syntax = \"proto3\";\nimport \"common/id.proto\";\n\
                 message User { common.Id id = 1; }\n",
                )],
            ),
            case("protoc-plugin", MISSING_COMMAND, "protoc --go_out=. user.proto", "a plugin that is not installed")
                .files(&[("user.proto", "syntax = \"proto3\";\nmessage User { string name = 1; }\n")]),
        ],
    },
    Tool {
        name: "r",
        language: Some("R"),
        needs: &["Rscript"],
        cases: &[
            case("r-package", DEPENDENCY, "Rscript -e 'library(dplyrnext)'", "a package that is not installed"),
            case("r-object", EXCEPTION, "Rscript app.R", "a name that does not exist")
                .files(&[("app.R", "total <- sum(c(1, 2))\nprint(totals)\n")]),
            case("r-file", MISSING_FILE, "Rscript -e 'read.csv(\"data/in.csv\")'", "a file that is not there"),
            case(
                "r-ok",
                BENIGN,
                "Rscript -e 'warning(\"connection timed out, used cache\"); cat(\"rows: 503, \
                 errors: 0\\n\")'",
                "a warning only",
            ),
        ],
    },
];
