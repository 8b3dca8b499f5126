//! Toolchains for chips: compilers and linkers for embedded targets, the older Unix and mainframe compilers, hardware
//! description languages, and the engines that games are built with.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{CompileError, LintError, MissingDependency};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Embedded compilers and linkers
    decisive("arm.linker", "error: l6", CompileError, "Error: L6218E: Undefined symbol foo (referred from main.o).", "error: l6x").tool("armlink").pattern(r"(?i)\berror: L6\d{3}[EU]:"),
    decisive("arm.assembler", "error: a1", CompileError, "\"a.s\", line 3: Error: A1163E: Unknown opcode", "error: a1x").tool("armasm").pattern(r"(?i)\berror: A1\d{3}E:"),
    summary("keil.count", "error(s), ", CompileError, "\".\\Objects\\app.axf\" - 2 Error(s), 0 Warning(s).", "\".\\Objects\\app.axf\" - 0 Error(s), 0 Warning(s).").tool("keil").pattern(r#"" - [1-9]\d* Error\(s\), \d+ Warning"#),
    success("keil.ok", "0 error(s), ", "\".\\Objects\\app.axf\" - 0 Error(s), 3 Warning(s).", "\".\\Objects\\app.axf\" - 2 Error(s), 0 Warning(s).").pattern(r#"" - 0 Error\(s\), \d+ Warning"#),
    suggestive("keil.not-created", "target not created", CompileError, "Target not created.", "target created").tool("keil").line_start(),
    decisive("iar.numbered", "error[", CompileError, "\"main.c\",3  Error[32]: identifier is undefined", "error[0] = 1").tool("iar").pattern(r"(?:^|[ \t])(?:Fatal [Ee]|E)rror\[(?:[A-Z][a-z])?\d+\]: "),
    suggestive("iar.count", "errors: ", CompileError, "Errors: 2", "Errors: none").tool("iar").pattern(r"^Errors: [1-9]"),
    decisive("ti.unresolved", "error #10234", CompileError, "error #10234-D: unresolved symbols remain", "error #102").tool("ti"),
    decisive("ti.failure", ">> compilation failure", CompileError, ">> Compilation failure", "compilation").tool("ti"),
    decisive("sdcc.error", ": error ", CompileError, "main.c:12: error 20: Undefined identifier 'x'", "main.c:12: warning 85: error 20").tool("sdcc").pattern(r"^\S+:\d+: (?:fatal )?error \d+: "),
    decisive("tasking", " [\"", CompileError, "ctc E208: [\"main.c\" 12/5] syntax error - token \";\" inserted", "ctc W500: [\"main.c\" 3/1] no").tool("tasking").pattern(r#"^\w+ [EF]\d{3}: \[""#),
    decisive("codewarrior.compiler", "compiler: ", CompileError, "### mwcceppc.exe Compiler: error", "compiler: gcc").tool("codewarrior").pattern(r"^### mw\w+(?:\.exe)? (?:Compiler|Linker|Assembler)"),
    decisive("codewarrior.hash", "error: ", CompileError, "#   Error: undefined identifier 'x'", "no error: x").tool("codewarrior").pattern(r"^# +(?:\d+: )?Error:"),
    decisive("cosmic", "#error cp", CompileError, "#error cpstm8 main.c:12(5) missing parenthesis", "#error").tool("cosmic"),
    summary("mplab.failed", "build failed (exit value", CompileError, "BUILD FAILED (exit value 2, total time: 345ms)", "build failed").tool("mplab"),
    summary("esp.failed", "ninja failed with exit code", CompileError, "ninja failed with exit code 1, output of the command is in the log", "ninja").tool("idf.py"),
    summary("platformio.failed", "[failed] took", CompileError, "======= [FAILED] Took 3.27 seconds =======", "[SUCCESS] Took 3 s").tool("platformio"),
    success("platformio.ok", "[success] took", "======= [SUCCESS] Took 3.27 seconds =======", "[FAILED] Took 3 s"),
    decisive("arduino.compiling", "error compiling for board", CompileError, "Error compiling for board Arduino Uno.", "compiling").tool("arduino"),
    decisive("arduino.exit", "error during build: exit status", CompileError, "Error during build: exit status 1", "build").tool("arduino"),
    decisive("ld.region", "' overflowed by ", CompileError, "ld: region `FLASH' overflowed by 1204 bytes", "overflowed").tool("ld").pattern(r"region [`']\w+' overflowed by \d+ bytes"),
    decisive("ld.will-not-fit", "' will not fit in region", CompileError, "ld: app.elf section `.text' will not fit in region `FLASH'", "fits").tool("ld"),

    // Unix, mainframe and supercomputer compilers
    decisive("pgi.fatal", "-f-0", CompileError, "PGF90-F-0004-Unable to open MODULE file x.mod (t.f90: 3)", "x-f-0").tool("pgi").pattern(r"^(?:PG|NV)[A-Z0-9+/-]*-F-\d{4}-"),
    decisive("pgi.severe", "-s-0", CompileError, "PGC-S-0039-Use of undeclared variable x (main.c: 12)", "PGC-W-0095-Type cast required").tool("pgi").pattern(r"^(?:PG|NV)[A-Z0-9+/-]*-S-\d{4}-"),
    decisive("xl.severe", "\", line ", CompileError, "\"t.c\", line 3.5: 1506-045 (S) Undeclared identifier x.", "\"t.c\", line 3.5: 1506-342 (W) comment").tool("xlc").pattern(r"^\x22[^\x22]+\x22, line \d+\.\d+: \d{4}-\d{3} \([SEU]\)"),
    decisive("xl.failed", "1501-511", CompileError, "    1501-511  Compilation failed for file t.c.", "1501-512").tool("xlc"),
    decisive("cray.error", ": error ", CompileError, "ftn-113 crayftn: ERROR TEST, File = t.f90, Line = 16, Column = 3", "cc-1020 CC: REMARK File = a.h, Line = 7").tool("cray").pattern(r": ERROR .*File = \S+, Line = \d+"),
    decisive("intel.aborted", "compilation aborted for", CompileError, "compilation aborted for t.f90 (code 1)", "compilation of").tool("intel"),
    decisive("nag.termination", "compiler error termination", CompileError, "[NAG Fortran Compiler error termination, 1 error]", "termination").tool("nag"),
    decisive("sun.acomp", "acomp failed for", CompileError, "cc: acomp failed for main.c", "failed for").tool("sunc"),
    decisive("aix.error", " in line ", CompileError, "****** Error number 140 in line 8 of file a.c ******", "in line with it").pattern(r"Error number \d+ in line \d+ of file"),
    decisive("hp.error", "error ", CompileError, "Error 20: \"t.c\", line 3 # Undefined variable", "error x").tool("acc").pattern(r"^(?:[\w.]+: )?Error \d+: \x22[^\x22]+\x22, line \d+"),
    decisive("pascal.fatal", " fatal: ", CompileError, "app.pas(10) Fatal: There were 1 errors compiling module, stopping", "not fatal: x").tool("fpc").pattern(r"\.(?:pas|pp|lpr|inc|dpr)\(\d+(?:,\d+)?\) (?:Fatal|Error): "),
    decisive("pascal.error", ") error: ", CompileError, "app.pas(3,5) Error: Identifier not found \"x\"", ") error: x").tool("fpc").pattern(r"\.(?:pas|pp|lpr|inc|dpr)\(\d+(?:,\d+)?\) Error: "),
    decisive("pascal.aborted", "fatal: compilation aborted", CompileError, "Fatal: Compilation aborted", "compilation").tool("fpc"),
    decisive("delphi.error", " error] ", CompileError, "[dcc32 Error] Unit1.pas(3): E2003 Undeclared identifier: 'x'", "[dcc32 Warning] Unit1.pas(3): W1000").tool("dcc32").pattern(r"^ Error\] \S+\(\d+\): "),
    decisive("borland.error", "error ", CompileError, "Error E2451 a.cpp 15: Undefined symbol 'x' in function main()", "Error code 15").tool("bcc32").pattern(r"^(?:Fatal )?Error (?:[EF]\d{4} )?\S+\.\w+ \d+: "),
    decisive("gnat.compilation", "\" compilation error", CompileError, "gnatmake: \"main.adb\" compilation error", "compilation").tool("gnatmake"),
    decisive("gprbuild.phase", " phase failed", CompileError, "gprbuild: *** compilation phase failed", "the phase failed").tool("gprbuild").pattern(r"\*\*\* \w+ phase failed"),
    decisive("gnat.library", "\" not found", CompileError, "main.adb:1:06: error: file \"x.ads\" not found", "\"x\" not found").tool("gnatmake").pattern(r"\.ad[bs]:\d+:\d+: "),
    decisive("oracle.precompiler", "pcc-", CompileError, "PCC-02150: error at line 49, column 27 in file a.pc", "pcc-x").tool("proc").pattern(r"^PCC-\w-?\d{4,5}|^PCC-\d{5}"),
    decisive("plsql.compile", "pls-", CompileError, "PLS-00201: identifier 'X' must be declared", "pls-x").tool("oracle").pattern(r"\bPLS-\d{5}: "),
    decisive("plsql.created", "created with compilation errors", CompileError, "Warning: Procedure created with compilation errors.", "created").tool("oracle").aside(),

    // Hardware description
    decisive("verilator.error", "%error", CompileError, "%Error: t/a.v:8:8: syntax error, unexpected '('", "%errors").tool("verilator").pattern(r"^%Error(?:-[A-Z]+)?: (?:[^E]|E[^x])"),
    summary("verilator.exit", "%error: exiting due to", CompileError, "%Error: Exiting due to 2 error(s)", "exiting").tool("verilator").pattern(r"due to \d* ?(?:error|$)"),
    summary("verilator.exit-warnings", "%error: exiting due to", LintError, "%Error: Exiting due to 2 warning(s)", "%Error: Exiting due to 2 error(s)").tool("verilator").pattern(r"due to \d+ warning"),
    decisive("modelsim.error", "** error", CompileError, "# ** Error: top.vhd(12): near \"x\": syntax error", "** Warning: x").tool("modelsim").pattern(r"^(?:# )?\*\* (?:Fatal|Error)(?: \(suppressible\))?: "),
    decisive("xcelium.error", ": *e,", CompileError, "xmvlog: *E,EXPSMC (top.v,12|5): expecting a semicolon", "xmvlog: *W,LIBNOM").tool("xcelium"),
    decisive("vcs.error", "error-[", CompileError, "Error-[SE] Syntax error", "error-[").tool("vcs").pattern(r"^Error-\[[A-Z]\w*\]"),
    decisive("vivado.error", "error: [", CompileError, "ERROR: [Synth 8-439] module 'x' not found [/p/top.v:12]", "error: [x]").tool("vivado").pattern(r"^ERROR: \[[A-Z]\w+(?: \d+)?[ -]\d+(?:-\d+)?\]"),
    decisive("quartus.error", "error (", CompileError, "Error (10161): Verilog HDL error at top.v(12): object \"x\" is not declared", "error (x)").tool("quartus").pattern(r"^Error \(\d{4,6}\): "),
    decisive("quartus.unsuccessful", " was unsuccessful. ", CompileError, "Error: Quartus Prime Analysis & Synthesis was unsuccessful. 1 error, 0 warnings", "it was unsuccessful. x").tool("quartus").pattern(r"was unsuccessful\. [1-9]\d* errors?"),
    decisive("iverilog.elaboration", "error(s) during elaboration", CompileError, "1 error(s) during elaboration.", "elaboration").tool("iverilog"),
    suggestive("iverilog.give-up", "i give up.", CompileError, "I give up.", "give up").tool("iverilog").line_start(),
    decisive("ghdl.error", "ghdl:error:", CompileError, "ghdl:error: compilation error", "ghdl: ok").tool("ghdl"),
    decisive("vhdl.place", ".vhd", CompileError, "top.vhd:12:5: no declaration for \"clk\"", "top.vhd:12:5: warning: unused").tool("ghdl").pattern(r"\.vhdl?:\d+:\d+:(?:error:)? (?:[^wn]|w[^a]|n[^o]|no[^t])"),
    decisive("yosys.error", "error: ", CompileError, "ERROR: Module `\\foo' referenced in module `\\top' in cell `\\u' is not part of the design.", "error: module").tool("yosys").pattern(r"is not part of the design|^\S+\.s?v:\d+: ERROR: "),

    // Engines
    decisive("unity.scripts", "scripts have compiler errors", CompileError, "Scripts have compiler errors.", "scripts").tool("unity"),
    decisive("unity.player", "because scripts ha", CompileError, "Error building Player because scripts had compiler errors", "because").tool("unity"),
    suggestive("unity.batchmode", "aborting batchmode due to", CompileError, "Aborting batchmode due to failure:", "batchmode").tool("unity"),
    decisive("unreal.produce", "failed to produce item", CompileError, "UnrealBuildTool: ERROR: UBT ERROR: Failed to produce item: x.dll", "produced").tool("unreal"),
    suggestive("unreal.exit", "automationtool exiting with exitcode", CompileError, "AutomationTool exiting with ExitCode=6 (Error_UnknownBuildFailure)", "AutomationTool exiting with ExitCode=0 (Success)").tool("unreal").pattern(r"ExitCode=[1-9]"),
    decisive("unreal.compile", "error: ", CompileError, "LogCompile: Error: missing token", "an error: x").tool("unreal").pattern(r"^(?:LogCompile|LogBlueprint|CompilerResultsLog|LogShaderCompilers): Error: "),
    decisive("godot.script", "script error:", CompileError, "SCRIPT ERROR: Parse Error: Unexpected indent.", "script errors").tool("godot").pattern(r"^SCRIPT ERROR: .*(?:Parse Error|Compile Error|Failed to load script)"),
    decisive("qmake.module", "project error: unknown module", MissingDependency, "Project ERROR: Unknown module(s) in QT: charts", "project").tool("qmake"),
];
