//! Programs that die, and the tools that watch them: sanitizers, valgrind, signals, uncaught exceptions.

use super::{Row, decisive, suggestive};
use recovery_types::ErrorType::{Other, OutOfMemory, RuntimeException};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Sanitizers and checkers of memory and threads
    decisive("sanitizer.error", "sanitizer: ", RuntimeException, "==7==WARNING: ThreadSanitizer: data race (pid=7)", "==7==AddressSanitizer: symbolizer ready").pattern(r"(?:ERROR|WARNING|SUMMARY): \w+Sanitizer: ").aside(),
    decisive("sanitizer.undefined", ": runtime error: ", RuntimeException, "src/a.c:7:12: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'", "a runtime error: none").pattern(r"^\S+:\d+:\d+: runtime error: "),
    decisive("libfuzzer.error", "libfuzzer: ", RuntimeException, "==7== ERROR: libFuzzer: deadly signal", "libFuzzer: started").pattern(r"ERROR: libFuzzer: (?:deadly signal|timeout|fuzz target exited)"),
    decisive("go.race", "data race", RuntimeException, "WARNING: DATA RACE", "we avoid data races").pattern(r"^WARNING: DATA RACE|^Found \d+ data race").aside(),
    decisive("valgrind.summary", "error summary: ", RuntimeException, "==12== ERROR SUMMARY: 2 errors from 1 contexts (suppressed: 0 from 0)", "==12== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)").tool("valgrind").pattern(r"ERROR SUMMARY: [1-9]"),
    decisive("valgrind.access", "invalid ", RuntimeException, "==12== Invalid read of size 4", "invalid reader").tool("valgrind").pattern(r"^(?:==\d+== )?Invalid (?:(?:read|write) of size \d|free\(\) / delete)"),
    decisive("valgrind.uninitialised", "uninitialised value", RuntimeException, "==12== Conditional jump or move depends on uninitialised value(s)", "an uninitialised value").tool("valgrind").pattern(r"depends on uninitialised value|Use of uninitialised value"),
    decisive("valgrind.lost", "lost in loss record", RuntimeException, "==12== 16 bytes in 1 blocks are definitely lost in loss record 1 of 2", "lost").tool("valgrind").pattern(r"(?:definitely|indirectly) lost in"),
    decisive("valgrind.race", "possible data race", RuntimeException, "==12== Possible data race during write of size 4 at 0x10C014 by thread #1", "a possible data race").tool("valgrind").pattern(r"during (?:read|write) of size"),
    decisive("valgrind.signal", "with default action of signal", RuntimeException, "==12== Process terminating with default action of signal 11 (SIGSEGV)", "the default action of signals").tool("valgrind"),

    // The C library and its languages
    decisive("cpp.terminate", "terminate called after throwing", RuntimeException, "terminate called after throwing an instance of 'std::out_of_range'", "terminate called"),
    decisive("cpp.terminate-bare", "terminate called without an active exception", RuntimeException, "terminate called without an active exception", "terminate called"),
    decisive("cpp.abi", "libc++abi", RuntimeException, "libc++abi: terminating due to uncaught exception of type std::bad_alloc", "-lc++abi").pattern(r"terminating"),
    decisive("glibc.heap", "(): ", RuntimeException, "malloc(): corrupted top size", "f(): fine").pattern(r"^(?:\*\*\* Error in .*: )?(?:malloc|realloc|free|munmap_chunk|malloc_consolidate|corrupted size)[\w ]*\(\): (?:corrupted|invalid|memory corruption|mismatching|double free|unaligned|unsorted)"),
    decisive("glibc.size", "corrupted size vs. prev_size", RuntimeException, "corrupted size vs. prev_size", "prev_size"),
    decisive("glibc.overflow", "*** buffer overflow detected ***", RuntimeException, "*** buffer overflow detected ***: terminated", "buffer overflow"),
    decisive("windows.violation", "access violation", RuntimeException, "Exception Code: 0xC0000005 (access violation)", "an access violation policy").pattern(r"(?i)c0000005|access violation (?:in (?:generated|foreign) code|reading|writing|executing|at|exception)|accessviolationexception"),
    decisive("windows.code", "0xc0000", RuntimeException, "Process finished with exit code -1073741819 (0xC0000005)", "0xC0000fff").pattern(r"(?i)0xC00000(?:05|1D|94|95|FD)\b"),

    // Kernels and virtual machines
    decisive("jvm.fatal", "fatal error has been detected by the java", RuntimeException, "# A fatal error has been detected by the Java Runtime Environment:", "fatal").tool("java"),
    decisive("v8.fatal", "# fatal error in", RuntimeException, "# Fatal error in ../src/heap.cc, line 12", "fatal").tool("node").line_start(),
    decisive("kernel.oops", "bug: ", RuntimeException, "[  12.3] BUG: unable to handle page fault for address: ffffc900", "debug: fine").pattern(r"^(?:\[[ \d.]+\]\s*)?BUG: (?:unable to handle|KASAN|KCSAN|KMSAN|soft lockup|sleeping function|scheduling while|kernel NULL|Bad page)"),
    decisive("kernel.gpf", "general protection fault", RuntimeException, "[  12.3] general protection fault, probably for non-canonical address 0xdead: 0000 [#1]", "protection fault"),
    decisive("kernel.panic", "kernel panic", Other, "Kernel panic - not syncing: Attempted to kill init!", "the kernel panics").word(),
    decisive("kernel.oom", "total-vm:", OutOfMemory, "Killed process 4711 (node) total-vm:2097152kB, anon-rss:1048576kB", "total-vm").pattern(r"(?i)killed process|oom").tool("kernel"),
    decisive("dotnet.stack-overflow", "stack overflow.", RuntimeException, "Stack overflow.", "see Stack Overflow.").tool("dotnet").pattern(r"^Stack overflow\.$|^Process is terminated due to StackOverflowException"),
    decisive("rust.runtime", "fatal runtime error:", RuntimeException, "fatal runtime error: stack overflow, aborting", "runtime error").tool("rust"),
    decisive("stack.overflowed", "has overflowed its stack", RuntimeException, "thread 'main' has overflowed its stack", "overflowed").tool("rust"),
    decisive("ruby.fatal", "(fatal)", RuntimeException, "a.rb:2:in `pop': No live threads left. Deadlock? (fatal)", "(fatality)").tool("ruby").pattern(r"\(fatal\)$"),
    decisive("python.group", "exception group traceback", RuntimeException, "  + Exception Group Traceback (most recent call last):", "exception groups").tool("python"),
    decisive("stack.level", "stack level too deep", RuntimeException, "a.rb:3:in `f': stack level too deep (SystemStackError)", "stack level"),
    decisive("stack.overflow-error", "stackoverflowerror", RuntimeException, "java.lang.StackOverflowError", "StackOverflowErrorHandler").word(),
    decisive("alloc.bad", "std::bad_alloc", OutOfMemory, "  what():  std::bad_alloc", "catch (std::bad_alloc&) {").pattern(r"(?:what\(\):|type|instance of) +'?std::bad_alloc"),

    // Uncaught exceptions of languages that have no table of their own
    decisive("ada.raised", "raised ", RuntimeException, "raised CONSTRAINT_ERROR : main.adb:7 index check failed", "raised beds").tool("gnat").pattern(r"^raised [A-Z][A-Z_.]+ : "),
    suggestive("tcl.executing", "while executing", RuntimeException, "    while executing", "while executing it").tool("tcl").pattern(r"^while executing$"),
    suggestive("tcl.invoked", "invoked from within", RuntimeException, "    invoked from within", "invoked from within it").tool("tcl").pattern(r"^invoked from within$"),
    decisive("lisp.debugger", "debugger invoked on a", RuntimeException, "debugger invoked on a DIVISION-BY-ZERO in thread", "debugger").tool("sbcl"),
    decisive("lisp.unhandled", "unhandled ", RuntimeException, "Unhandled SIMPLE-ERROR in thread #<SB-THREAD:THREAD \"main thread\" RUNNING>: no", "unhandled cases").tool("sbcl").pattern(r"^Unhandled [A-Z:-]+ in thread|^\*\*\* - "),
    decisive("guile.procedure", "error: in procedure", RuntimeException, "ERROR: In procedure car: Wrong type argument in position 1 (expecting pair): 5", "procedure").tool("guile"),
    decisive("d.exception", "core.exception.", RuntimeException, "core.exception.ArrayIndexError@app.d(3): index [9] is out of bounds for array of length 3", "import core.exception.x").tool("dmd").pattern(r"core\.exception\.\w+@\S+\(\d+\)"),
    decisive("nim.unhandled", "unhandled exception:", RuntimeException, "Error: unhandled exception: index 9 not in 0 .. 2 [IndexDefect]", "exceptions").tool("nim"),
    decisive("zig.panic", " panic: ", RuntimeException, "thread 4711 panic: index out of bounds: index 9, len 3", "no panic: x").tool("zig").pattern(r"^thread \d+ panic: "),
    decisive("swift.trap", "fatal error: ", RuntimeException, "App/main.swift:3: Fatal error: Index out of range", "fatal error: x").tool("swift").pattern(r"\.swift:\d+: Fatal error: |^Fatal error: (?:Unexpectedly found nil|Index out of range|Division by zero|'try!'|Range requires|Not enough bits|Can't )"),
    decisive("haskell.exception", "*** exception:", RuntimeException, "*** Exception: divide by zero", "exception").tool("ghc"),
    decisive("erlang.exception", "exception ", RuntimeException, "** exception error: no match of right hand side value {error,enoent}", "exception e").tool("erl").pattern(r"^\*\* exception (?:error|exit|throw): "),
    decisive("erlang.process", "with exit value", RuntimeException, "Error in process <0.90.0> with exit value:", "the exit value").tool("erl").pattern(r"Error in process \S+ (?:on node \S+ )?with exit value"),
    decisive("erlang.reason", "{bad", RuntimeException, "{{badmatch,{error,enoent}},[{a,main,0,[]}]}", "{badge}").tool("erl").pattern(r"\{bad(?:match|arg|arith|fun|key|map|arity|record)[,}]"),
    decisive("erlang.crash-report", "=crash report====", RuntimeException, "=CRASH REPORT==== 1-Jan-2024::10:00:00.000000 ===", "crash report").tool("erl"),
    decisive("elixir.genserver", "genserver ", RuntimeException, "10:00:00.000 [error] GenServer App.Worker terminating", "a GenServer starts").tool("elixir").pattern(r"GenServer \S+ terminating|Task #PID\S+ started from .* terminating"),
    decisive("elixir.exit", "** (exit", RuntimeException, "** (EXIT from #PID<0.95.0>) shell process exited with reason: killed", "exit").tool("elixir"),
    decisive("groovy.caught", "caught: ", RuntimeException, "Caught: groovy.lang.MissingPropertyException: No such property: x for class: a", "caught: a fish").tool("groovy").pattern(r"^Caught: (?:[a-z]\w*\.)+[A-Z]"),
    decisive("prolog.warning", "goal (", RuntimeException, "Warning: /x/a.pl:3: Goal (directive) failed", "the goal (x)").tool("swipl").pattern(r"Goal \((?:directive|initialization)\) (?:failed|raised exception)").aside(),
    decisive("wasm.trap", "wasm trap:", RuntimeException, "    1: wasm trap: wasm `unreachable` instruction executed", "wasm").tool("wasm"),
    decisive("node.rejection", "unhandled rejection", RuntimeException, "Unhandled rejection TypeError: x is undefined", "unhandled rejections").tool("node").pattern(r"^Unhandled rejection \S"),
    decisive("android.fatal", "fatal exception: ", RuntimeException, "E/AndroidRuntime(123): FATAL EXCEPTION: main", "no fatal exception: x").tool("android").pattern(r"FATAL EXCEPTION: "),
    suggestive("backtrace.header", "backtrace:", RuntimeException, "stack backtrace:", "no backtrace: x").pattern(r"(?i)^(?:stack )?backtrace:$"),
    suggestive("exception.occurred", "exception", RuntimeException, "An unhandled exception occurred: no", "an exception").pattern(r"(?i)\b(?:unhandled|uncaught) exception\b"),
    decisive("asan.error", "addresssanitizer:", RuntimeException, "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address", "AddressSanitizer enabled").pattern(r"ERROR: AddressSanitizer"),
];
