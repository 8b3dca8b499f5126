//! The package manager of the system that printed the output: `apt-get`, `dnf`, `apk` or `brew`.
//!
//! In: the text of a request. Out: a [`Platform`], and from it the command that installs a package or searches for the
//! package of a file.
//!
//! The engine does not look at the machine it runs on, because the output may come from a container or a CI job. Words that
//! only one family prints decide (`SIGNS`); if none or several occur, Debian is assumed. A package is called differently on
//! each system: `Names` holds the four names, empty where there is none, and the tables that use it are in `command.rs` and
//! `library.rs`.

use recovery_types::RepairRequest;

/// A family of systems by its package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    /// Debian, Ubuntu: `apt-get`. Also where nothing shows which.
    Apt,
    /// Fedora, Red Hat, Amazon Linux: `dnf`.
    Dnf,
    /// Alpine: `apk`.
    Apk,
    /// macOS: `brew`.
    Brew,
}

/// The words that only one family prints.
const SIGNS: &[(Platform, &[&str])] = &[
    (Platform::Apk, &["apk add", "alpine", "/etc/apk", "musl libc"]),
    (
        Platform::Dnf,
        &[
            "dnf ", "yum ", "fedora", "red hat", "redhat", "centos", "rocky linux", "amazon linux", "amzn2", ".el7",
            ".el8", ".el9", ".fc4",
        ],
    ),
    (Platform::Brew, &["brew ", "homebrew", "darwin", "macos", "/users/", "xcrun", "/library/developer"]),
];

impl Platform {
    /// The system that the output names; Debian where it names none or several.
    pub(super) fn of(request: &RepairRequest) -> Self {
        let text = request.error.text.to_ascii_lowercase();
        let mut named = SIGNS.iter().filter(|(_, signs)| signs.iter().any(|sign| text.contains(sign)));
        match (named.next(), named.next()) {
            (Some((platform, _)), None) if !["apt-get", "debian", "ubuntu"].iter().any(|sign| text.contains(sign)) => {
                *platform
            }
            _ => Self::Apt,
        }
    }

    /// The command that installs the package it calls `names.<self>`; none where the table has no name for it.
    pub(super) fn install(self, names: &Names) -> Option<String> {
        let (command, package) = match self {
            Self::Apt => ("apt-get install -y", names.apt),
            Self::Dnf => ("dnf install -y", names.dnf),
            Self::Apk => ("apk add", names.apk),
            Self::Brew => ("brew install", names.brew),
        };
        (!package.is_empty()).then(|| format!("{command} {package}"))
    }

    /// The name of the package here.
    pub(super) const fn name(self, names: &Names) -> &'static str {
        match self {
            Self::Apt => names.apt,
            Self::Dnf => names.dnf,
            Self::Apk => names.apk,
            Self::Brew => names.brew,
        }
    }

    /// The command that finds the package which has `file`; none where the system has no such search.
    pub(super) fn find(self, file: &str) -> Option<String> {
        match self {
            Self::Apt => Some(format!("apt-file search {file}")),
            Self::Dnf => Some(format!("dnf provides '*/{file}'")),
            Self::Apk | Self::Brew => None,
        }
    }
}

/// What one thing is packaged as; empty where it is not, or not known for sure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub apt: &'static str,
    pub dnf: &'static str,
    pub apk: &'static str,
    pub brew: &'static str,
}

/// One row of a package table.
pub(super) const fn names(apt: &'static str, dnf: &'static str, apk: &'static str, brew: &'static str) -> Names {
    Names { apt, dnf, apk, brew }
}
