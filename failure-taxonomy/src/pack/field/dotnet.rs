//! dotnet, MSBuild, NuGet, xUnit, NUnit.

use super::{Role, Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{
    CompileError, ConnectionFailure, FileNotFound, InvalidArgument, MissingCredentials, MissingDependency, RateLimit,
    RuntimeException, ServiceUnavailable, TestFailure,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("csc.error", "error cs", CompileError, "Program.cs(5,24): error CS1002: ; expected [/x/a.csproj]", "warning CS1584: x").tool("dotnet").pattern(r"\berror CS\d{4}\b"),
    decisive("fsc.error", "error fs", CompileError, "Program.fs(5,24): error FS0039: The value is not defined", "error fs").tool("dotnet").pattern(r"\berror FS\d{4}\b"),
    decisive("vbc.error", "error bc", CompileError, "A.vb(5) : error BC30451: 'x' is not declared", "error bc").tool("dotnet").pattern(r"\berror BC\d{5}\b"),
    decisive("msbuild.error", "error msb", CompileError, "a.csproj : error MSB4025: The project file could not be loaded.", "error msb").tool("msbuild").pattern(r"\berror MSB[2-9]\d{3}\b"),
    decisive("msbuild.no-project", "error msb1003", FileNotFound, "MSBUILD : error MSB1003: Specify a project or solution file.", "error MSB4025").tool("msbuild"),
    decisive("msbuild.no-project-file", "error msb1009", FileNotFound, "MSBUILD : error MSB1009: Project file does not exist.", "error MSB4025").tool("msbuild"),
    decisive("msbuild.switch", "error msb1", InvalidArgument, "MSBUILD : error MSB1001: Unknown switch.", "error MSB4025: the project").tool("msbuild").pattern(r"\berror MSB(?:100[1245-8]|10[1-9]\d)\b"),
    decisive("dotnet.sdk", "error netsdk", MissingDependency, "error NETSDK1045: The current .NET SDK does not support targeting .NET 9.0.", "netsdk").tool("dotnet"),
    decisive("nuget.error", "error nu", MissingDependency, "error NU1101: Unable to find package Foo. No packages exist with this id", "error nun").tool("nuget").pattern(r"\berror NU1[1-6]\d{2}\b"),
    decisive("nuget.unable-to-find", "unable to find package", MissingDependency, "Unable to find package Foo with version (>= 9.0.0)", "package").tool("nuget"),
    decisive("nuget.load-service", "unable to load the service index", ConnectionFailure, "error NU1301: Unable to load the service index for source https://api.nuget.org/v3/index.json.", "loaded").tool("nuget"),
    decisive("nuget.unauthorized", "401 (unauthorized)", MissingCredentials, "Response status code does not indicate success: 401 (Unauthorized).", "401 files").tool("nuget"),
    decisive("nuget.feed", "multiple attempts to download the nupkg have failed", ConnectionFailure, "The feed 'acme' lists package 'Acme.Log.1.0.0' but multiple attempts to download the nupkg have failed.", "attempts to download").tool("nuget"),
    decisive("nuget.sdk", "compatible .net sdk was not found", MissingDependency, "A compatible .NET SDK was not found.", ".net sdk").tool("dotnet"),
    decisive("dotnet.framework", "you must install or update .net to run", MissingDependency, "You must install or update .NET to run this application.", "install").tool("dotnet"),
    decisive("dotnet.assembly", "could not load file or assembly", MissingDependency, "System.IO.FileNotFoundException: Could not load file or assembly 'Foo, Version=1.0.0.0'", "loaded").tool("dotnet"),
    decisive("dotnet.command", "could not execute because the specified command or file was not found", InvalidArgument, "Could not execute because the specified command or file was not found.", "executed").tool("dotnet"),
    suggestive("msbuild.failed", "build failed.", CompileError, "Build FAILED.", "the build failed.").tool("msbuild").pattern(r"^Build FAILED\.").role(Role::Echo),
    summary("msbuild.count", "error(s)", CompileError, "    2 Error(s)", "    0 Error(s)").tool("msbuild").pattern(r"(?:^|[^,\d] )[1-9]\d* [Ee]rror\(s\)(?:$|[,;.)]| found)"),
    summary("msbuild.vs-count", " failed, ", CompileError, "========== Build: 1 succeeded, 1 failed, 0 skipped ==========", "========== Build: 1 succeeded, 0 failed, 0 skipped ==========").tool("msbuild").pattern(r"(?:Build|Rebuild All): .*\b[1-9]\d* failed"),
    success("msbuild.ok", "0 error(s)", "    0 Error(s)", "    2 Error(s)").pattern(r"(?:^|\s)0 [Ee]rror\(s\)"),
    success("dotnet.build-ok", "build succeeded", "Build succeeded.", "Build FAILED.").pattern(r"^Build succeeded"),
    summary("vstest.failed", "failed!  - failed:", TestFailure, "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3", "Passed!  - Failed:     0").tool("vstest"),
    summary("vstest.count", "failed: ", TestFailure, "     Failed: 1", "     Failed: 0").tool("vstest").pattern(r"^Failed: +[1-9]\d*$"),
    summary("vstest.run-failed", "test run failed.", TestFailure, "Test Run Failed.", "test run").tool("vstest"),
    success("vstest.ok", "test run successful", "Test Run Successful.", "Test Run Failed."),
    success("vstest.passed", "passed!  - failed:     0", "Passed!  - Failed:     0, Passed:     3", "Failed!  - Failed:     1"),
    decisive("xunit.fail", "[fail]", TestFailure, "[xUnit.net 00:00:01.00]     App.Tests.Adds [FAIL]", "[PASS]").tool("xunit").pattern(r"^.*xUnit\.net.*\[FAIL\]|\S+ \[FAIL\]$"),
    decisive("dotnet.assert", "assert.", TestFailure, "Assert.Equal() Failure: Values differ", "Assert.Equal(1, 2)").tool("xunit").pattern(r"Assert\.\w+\(\) Failure|Assert\.\w+ failed\."),
    decisive("dotnet.unhandled", "unhandled exception", RuntimeException, "Unhandled exception. System.NullReferenceException: Object reference not set", "unhandled exceptions").tool("dotnet").pattern(r"(?i)^unhandled exception[.:]"),
    decisive("dotnet.fsharp-test", "total tests:", TestFailure, "Total tests: 3 Failed: 1", "Total tests: 3").tool("vstest").pattern(r"Failed: +[1-9]"),
    decisive("dotnet.http-auth", "does not indicate success: 40", MissingCredentials, "Response status code does not indicate success: 401 (Unauthorized).", "indicates success").pattern(r"success: 40[13]"),
    decisive("dotnet.http-5xx", "does not indicate success: 5", ServiceUnavailable, "Response status code does not indicate success: 503 (Service Unavailable).", "indicates success").pattern(r"success: 5\d\d"),
    decisive("dotnet.http-429", "does not indicate success: 429", RateLimit, "Response status code does not indicate success: 429 (Too Many Requests).", "indicates success"),
    decisive("dotnet.http-404", "does not indicate success: 404", FileNotFound, "Response status code does not indicate success: 404 (Not Found).", "indicates success"),
    decisive("dotnet.stack-overflow", "stack overflow.", RuntimeException, "Stack overflow.", "see Stack Overflow.").tool("dotnet").pattern(r"^Stack overflow\.$|^Process is terminated due to StackOverflowException"),
    decisive("csc.reference", "error cs02", MissingDependency, "app.cs(1,7): error CS0246: The type or namespace name 'Newtonsoft' could not be found", "error CS0200").tool("dotnet").pattern(r"error CS(?:0246|0234)\b"),
];
