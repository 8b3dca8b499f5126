//! apt, dpkg, yum, dnf, pacman, apk, brew, chocolatey, snap, vagrant, systemd.

use super::{Row, decisive, suggestive};
use recovery_types::ErrorType::{
    ConnectionFailure, FileNotFound, InvalidArgument, LockContention, MissingDependency, Other, PermissionDenied,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("apt.locate", "unable to locate package", MissingDependency, "E: Unable to locate package foo", "package").tool("apt"),
    decisive("apt.no-candidate", "has no installation candidate", MissingDependency, "E: Package 'foo' has no installation candidate", "candidate").tool("apt"),
    decisive("apt.unmet", "unmet dependencies", MissingDependency, "The following packages have unmet dependencies:", "dependencies").tool("apt"),
    decisive("apt.held", "held broken packages", MissingDependency, "E: Unable to correct problems, you have held broken packages.", "packages").tool("apt"),
    decisive("apt.fetch", "e: failed to fetch", ConnectionFailure, "E: Failed to fetch http://deb.debian.org/x.deb  Could not resolve 'deb.debian.org'", "fetched").tool("apt").pattern(r"(?i)could not|connection|temporary|unable to connect|timed out|reset|50\d"),
    decisive("apt.fetch-404", "e: failed to fetch", MissingDependency, "E: Failed to fetch http://deb.debian.org/x.deb  404  Not Found", "E: Failed to fetch x Could not resolve").tool("apt").pattern(r"404"),
    suggestive("apt.fetch-some", "some index files failed to download", ConnectionFailure, "W: Some index files failed to download. They have been ignored, or old ones used instead.", "downloaded").tool("apt"),
    decisive("apt.no-release", "does not have a release file", MissingDependency, "E: The repository 'http://x stable Release' does not have a Release file.", "Release").tool("apt"),
    decisive("apt.key", "no_pubkey", MissingDependency, "The following signatures couldn't be verified because the public key is not available: NO_PUBKEY 1A2B", "pubkey").tool("apt"),
    decisive("apt.lock", "could not open lock file", PermissionDenied, "E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)", "lock").tool("apt").pattern(r"Permission denied"),
    decisive("apt.invalid-operation", "e: invalid operation", InvalidArgument, "E: Invalid operation isntall", "operation").tool("apt"),
    decisive("dpkg.interrupted", "dpkg was interrupted", Other, "E: dpkg was interrupted, you must manually run 'sudo dpkg --configure -a'", "interrupted").tool("dpkg"),
    decisive("dpkg.error", "dpkg: error processing", Other, "dpkg: error processing package foo (--configure):", "dpkg").tool("dpkg"),
    decisive("yum.no-package", "no package ", MissingDependency, "No package foo available.", "no package x").tool("yum").pattern(r"(?i)^no package \S+ available"),
    decisive("yum.no-match", "no match for argument", MissingDependency, "No match for argument: foo", "match").tool("dnf"),
    decisive("yum.unable-to-find", "error: unable to find a match", MissingDependency, "Error: Unable to find a match: foo", "match").tool("dnf"),
    decisive("yum.lock", "another app is currently holding the yum lock", LockContention, "Another app is currently holding the yum lock; waiting for it to exit...", "yum lock").tool("yum"),
    decisive("dnf.mirror", "cannot download repomd.xml", ConnectionFailure, "Error: Failed to download metadata for repo 'x': Cannot download repomd.xml", "repomd").tool("dnf"),
    decisive("rpm.dependencies", "error: failed dependencies", MissingDependency, "error: Failed dependencies:", "dependencies").tool("rpm"),
    decisive("pacman.target", "error: target not found", InvalidArgument, "error: target not found: llc", "target").tool("pacman"),
    decisive("pacman.lock", "unable to lock database", LockContention, "error: failed to init transaction (unable to lock database)", "database").tool("pacman"),
    decisive("apk.unsatisfiable", "error: unable to select packages", MissingDependency, "ERROR: unable to select packages:", "packages").tool("apk"),
    decisive("apk.no-such", "(no such package)", MissingDependency, "  foo (no such package):", "package").tool("apk"),
    decisive("brew.formula", "no available formula", InvalidArgument, "Warning: No available formula with the name \"giss\". Did you mean gist?", "formula").tool("brew").aside(),
    decisive("brew.cask", "no available cask", InvalidArgument, "Error: Cask 'x' is unavailable: No available cask", "cask").tool("brew").aside(),
    decisive("brew.symlink", "could not symlink", Other, "Error: Could not symlink bin/gcp", "symlink").tool("brew"),
    decisive("brew.unknown", "error: unknown command: ", InvalidArgument, "Error: Unknown command: inst", "command").tool("brew"),
    decisive("brew.updates-itself", "does not take formula names", InvalidArgument, "Error: This command updates brew itself, and does not take formula names.", "formula").tool("brew"),
    decisive("choco.not-found", "the package was not found with the source(s) listed", InvalidArgument, "foo not installed. The package was not found with the source(s) listed.", "package").tool("choco"),
    decisive("snap.not-found", "error: snap \"", MissingDependency, "error: snap \"foo\" not found", "snap").tool("snap").pattern(r"not found"),
    decisive("systemd.unit", "unit ", FileNotFound, "Failed to start wtf.service: Unit wtf.service not found.", "unit tests").tool("systemctl").pattern(r"[Uu]nit \S+\.\w+ (?:not found|could not be found|failed to load|does not exist|not loaded)"),
    decisive("systemd.bus", "system has not been booted with systemd", Other, "System has not been booted with systemd as init system (PID 1). Can't operate.", "systemd").tool("systemctl"),
    decisive("vagrant.running", "vm must be running", Other, "VM must be running to open SSH connection.", "running").tool("vagrant"),
    decisive("vagrant.machine", "was not found configured for this vagrant environment", InvalidArgument, "The machine with the name 'jeff' was not found configured for this Vagrant environment.", "machine").tool("vagrant"),
    decisive("heroku.apps", "multiple apps in git remotes", InvalidArgument, " Multiple apps in git remotes", "apps").tool("heroku"),
    decisive("ansible.unreachable", "unreachable=", ConnectionFailure, "web : ok=0 changed=0 unreachable=1 failed=0", "web : ok=3 changed=0 unreachable=0 failed=0").tool("ansible").pattern(r"unreachable=[1-9]"),
    suggestive("ansible.failed", "failed=", Other, "web : ok=2 changed=0 unreachable=0 failed=1", "web : ok=3 changed=0 unreachable=0 failed=0").tool("ansible").pattern(r"unreachable=0\s+failed=[1-9]"),
    decisive("ansible.fatal", "fatal: [", Other, "fatal: [web]: FAILED! => {\"changed\": false, \"msg\": \"x\"}", "fatal").tool("ansible").pattern(r"FAILED! =>"),
    decisive("ansible.sudo-password", "sudo password", PermissionDenied, "fatal: [db]: FAILED! => {\"msg\": \"Missing sudo password\"}", "sudo password: ").tool("ansible").pattern(r"(?:Missing|Incorrect) sudo password"),
];
