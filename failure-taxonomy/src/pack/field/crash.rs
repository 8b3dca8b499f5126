//! Programs that die, and the tools that watch them: sanitizers, valgrind, signals, uncaught exceptions.

use super::{Row, decisive, suggestive};
use recovery_types::ErrorType::{Other, OutOfMemory, RuntimeException};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Sanitizers and checkers of memory and threads
    decisive("sanitizer.error", "sanitizer: ", RuntimeException, "==7==WARNING: ThreadSanitizer: data race (pid=7)", "==7==AddressSanitizer: symbolizer ready").pattern(r"(?:ERROR|WARNING|SUMMARY): \w+Sanitizer: ").aside(),
    decisive("sanitizer.undefined", ": runtime error: ", RuntimeException, "src/a.c:7:12: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'", "a runtime error: none").pattern(r"^\S+:\d+:\d+: runtime error: "),
    decisive("libfuzzer.error", "libfuzzer: ", RuntimeException, "==7== ERROR: libFuzzer: deadly signal", "libFuzzer: started").pattern(r"ERROR: libFuzzer: (?:deadly signal|timeout|fuzz target exited)"),
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
    decisive("kernel.oops", "bug: ", RuntimeException, "[  12.3] BUG: unable to handle page fault for address: ffffc900", "debug: fine").pattern(r"^(?:\[[ \d.]+\]\s*)?BUG: (?:unable to handle|KASAN|KCSAN|KMSAN|soft lockup|sleeping function|scheduling while|kernel NULL|Bad page)"),
    decisive("kernel.gpf", "general protection fault", RuntimeException, "[  12.3] general protection fault, probably for non-canonical address 0xdead: 0000 [#1]", "protection fault"),
    decisive("kernel.panic", "kernel panic", Other, "Kernel panic - not syncing: Attempted to kill init!", "the kernel panics").word(),
    decisive("kernel.oom", "total-vm:", OutOfMemory, "Killed process 4711 (node) total-vm:2097152kB, anon-rss:1048576kB", "total-vm").pattern(r"(?i)killed process|oom").tool("kernel"),
    decisive("alloc.bad", "std::bad_alloc", OutOfMemory, "  what():  std::bad_alloc", "catch (std::bad_alloc&) {").pattern(r"(?:what\(\):|type|instance of) +'?std::bad_alloc"),

    // Uncaught exceptions of languages that have no table of their own
    decisive("wasm.trap", "wasm trap:", RuntimeException, "    1: wasm trap: wasm `unreachable` instruction executed", "wasm").tool("wasm"),
    suggestive("backtrace.header", "backtrace:", RuntimeException, "stack backtrace:", "no backtrace: x").pattern(r"(?i)^(?:stack )?backtrace:$"),
    suggestive("exception.occurred", "exception", RuntimeException, "An unhandled exception occurred: no", "an exception").pattern(r"(?i)\b(?:unhandled|uncaught) exception\b"),
    decisive("asan.error", "addresssanitizer:", RuntimeException, "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address", "AddressSanitizer enabled").pattern(r"ERROR: AddressSanitizer"),
];
