//! What CI services themselves say: GitHub Actions, GitLab, Jenkins, Azure Pipelines, Travis, CircleCI.

use super::{Role, Row, decisive, success, suggestive};
use recovery_types::ErrorType::{
    CommandNotFound, CompileError, ConnectionFailure, FileNotFound, InvalidArgument, MissingCredentials,
    MissingDependency, NetworkTimeout, Other, OutOfMemory, PermissionDenied, QuotaExhausted, RuntimeException,
    ServiceUnavailable,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    success("gitlab.succeeded", "job succeeded", "Job succeeded", "the job succeeded us").line_start().pattern(r"^Job succeeded$").role(Role::WholeRun),
    success("travis.exited-0", "your build exited with 0", "Done. Your build exited with 0.", "Done. Your build exited with 1.").role(Role::WholeRun),
    // The exit code of the command within, where a wrapper tells it
    decisive("ci.exit-124", "124", NetworkTimeout, "The command \"timeout 35m ci/build.sh\" exited with 124.", "exit code 1240").word().pattern(r"(?i)(?:exit(?:ed)?(?: with)?(?: code| status)?|non-zero code|returned(?: exit)? (?:code|status)|\] error)[ :=(]+124\b"),
    decisive("ci.exit-137", "137", OutOfMemory, "##[error]Process completed with exit code 137.", "port 137").word().pattern(r"(?i)(?:exit(?:ed)?(?: with)?(?: code| status)?|non-zero code|returned(?: exit)? (?:code|status)|\] error)[ :=(]+137\b"),
    decisive("ci.exit-crash", "exit", RuntimeException, "npm error command failed with exit code 139", "exit code 13").pattern(r"(?i)(?:exit(?:ed)?(?: with)?(?: code| status)?|non-zero code|returned(?: exit)? (?:code|status)|\] error)[ :=(]+(?:132|134|135|136|139)\b"),
    decisive("ci.cannot-run", "cannot run program", CommandNotFound, "java.io.IOException: Cannot run program \"gradlew\" (in directory \"/x\"): error=2, No such file or directory", "cannot run programs").pattern(r"error=2,"),
    decisive("github.executable", "unable to locate executable file", CommandNotFound, "##[error]Unable to locate executable file: dotnet.", "executable file").tool("github"),
    decisive("github.input-secret", "input required and not supplied", MissingCredentials, "Error: Input required and not supplied: token", "Error: Input required and not supplied: path").tool("github").pattern(r"(?i)supplied: \S*(?:token|key|secret|password)"),
    decisive("github.input", "input required and not supplied", InvalidArgument, "Error: Input required and not supplied: path", "Error: Input required and not supplied: token").tool("github").pattern(r"(?i)supplied: (?:[^tkspw]|pat|path|tag|source|target)"),
    decisive("github.hosted-error", "hosted runner encountered an error", ServiceUnavailable, "The hosted runner encountered an error while running your job. (Error Type: Disconnect).", "the hosted runner").tool("github"),
    decisive("github.storage", "storage quota has been hit", QuotaExhausted, "Failed to CreateArtifact: Artifact storage quota has been hit.", "storage quota").tool("github"),
    decisive("github.payments", "spending limit needs to be increased", QuotaExhausted, "recent account payments have failed or your spending limit needs to be increased", "spending").tool("github"),
    decisive("azure.parallelism", "no hosted parallelism has been purchased", QuotaExhausted, "##[error]No hosted parallelism has been purchased or granted.", "parallelism").tool("azure"),
    decisive("jenkins.sandbox", "rejectedaccessexception", PermissionDenied, "org.jenkinsci.plugins.scriptsecurity.sandbox.RejectedAccessException: Scripts not permitted to use method", "rejected").tool("jenkins"),
    decisive("jenkins.dsl", "no such dsl method", InvalidArgument, "java.lang.NoSuchMethodError: No such DSL method 'dockerBuild' found among steps", "a dsl method").tool("jenkins"),
    decisive("jenkins.compile", "multiplecompilationerrorsexception", CompileError, "org.codehaus.groovy.control.MultipleCompilationErrorsException: startup failed:", "compilation").tool("groovy"),
    decisive("ci.no-output", "no output", NetworkTimeout, "No output has been received in the last 10m0s, this potentially indicates a stalled build", "no output was written").pattern(r"No output has been received in the last \d|Too long with no output \(exceeded"),
    decisive("ci.max-time", "maximum ", NetworkTimeout, "##[error]The job running on runner Hosted 5 has exceeded the maximum execution time of 60 minutes.", "maximum execution time: 60 minutes").pattern(r"(?i)exceeded the maximum (?:execution time|time limit for jobs)|ran longer than the maximum time of"),
    decisive("gitlab.too-long", "execution took longer than", NetworkTimeout, "ERROR: Job failed: execution took longer than 1h0m0s seconds", "it took longer").tool("gitlab"),
    decisive("jenkins.timeout", "cancelling nested steps due to timeout", NetworkTimeout, "Cancelling nested steps due to timeout", "nested steps").tool("jenkins"),
    decisive("gitlab.system-failure", "job failed (system failure)", ServiceUnavailable, "ERROR: Job failed (system failure): prepare environment: exit code 137", "job failed").tool("gitlab"),
    decisive("github.runner-shutdown", "runner has received a shutdown signal", ServiceUnavailable, "##[error]The runner has received a shutdown signal.", "a shutdown signal").tool("github"),
    decisive("ci.runner-lost", "lost communication with the server", ConnectionFailure, "The hosted runner: GitHub Actions 3 lost communication with the server.", "communication with the server"),
    decisive("azure.agent-lost", "we stopped hearing from agent", ConnectionFailure, "##[error]We stopped hearing from agent Hosted Agent.", "the agent").tool("azure"),
    decisive("jenkins.channel", "channelclosedexception", ConnectionFailure, "hudson.remoting.ChannelClosedException: Channel \"unknown\": Remote call failed. The channel is closing down", "channel").tool("jenkins"),
    suggestive("jenkins.failure", "finished: failure", Other, "Finished: FAILURE", "finished").tool("jenkins"),
    success("jenkins.success", "finished: success", "Finished: SUCCESS", "Finished: FAILURE").role(Role::WholeRun),
    decisive("jenkins.request-aborted", "requestabortedexception", ConnectionFailure, "hudson.remoting.RequestAbortedException: java.io.EOFException", "request aborted"),
    decisive("github.integration", "resource not accessible by", PermissionDenied, "##[error]Resource not accessible by integration", "resource accessible").tool("github").pattern(r"(?i)resource not accessible by (?:integration|personal access token)"),
    decisive("github.artifact", "artifact not found for name", FileNotFound, "Error: Unable to download artifact(s): Artifact not found for name: dist", "artifact found").tool("github"),
    decisive("github.workflow", "workflow", InvalidArgument, "The workflow is not valid. .github/workflows/ci.yml (Line: 3, Col: 5): Unexpected value 'stepps'", "the workflow is valid").tool("github").pattern(r"^(?:The workflow is not valid\.|Invalid workflow file: )"),
    decisive("github.action", "unable to resolve action", MissingDependency, "##[error]Unable to resolve action `acme/deploy@v9`, repository not found", "action resolved").tool("github"),
    decisive("gitlab.basic-denied", "http basic: access denied", MissingCredentials, "remote: HTTP Basic: Access denied. The provided password or token is incorrect", "http basic").tool("gitlab"),
];
