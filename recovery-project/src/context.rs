//! A project as the commands use it: each part is found or parsed when it is first asked for, and then kept.

use crate::{ProjectError, ProjectSettings, location};
use recovery_engine::{Engine, PackName};
use recovery_service::{NoteError, Service, Setup};
use recovery_store::{Spool, Store};
use std::cell::OnceCell;
use std::path::PathBuf;

/// How many time limits that have passed are recorded before an answer: nobody waits for more.
const MAX_TICKED_TASKS: usize = 20;

/// The user's options, which take precedence over the project's settings.
#[derive(Clone, Debug)]
pub struct Overrides {
    /// The settings file.
    pub settings_file: Option<PathBuf>,
    /// Where state is kept.
    pub state_dir: Option<PathBuf>,
    /// Where the journal is.
    pub store: Option<String>,
    /// The rules that output is read with.
    pub pack: Option<PackName>,
    /// Called with files that are not used.
    pub warn: fn(&str),
    /// Called with notes that could not be written.
    pub warn_of_note: fn(&NoteError),
}

impl Default for Overrides {
    fn default() -> Self {
        Self { settings_file: None, state_dir: None, store: None, pack: None, warn: |_| {}, warn_of_note: |_| {} }
    }
}

/// A project, found from the working directory or from [`ProjectContext::start_from`].
#[derive(Debug, Default)]
pub struct ProjectContext {
    overrides: Overrides,
    start: OnceCell<PathBuf>,
    settings: OnceCell<ProjectSettings>,
    /// The state directory, once found to be the user's own.
    checked_state_dir: OnceCell<PathBuf>,
}

impl ProjectContext {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(overrides: Overrides) -> Self {
        Self { overrides, ..Self::default() }
    }

    /// Looks for the project from `dir` on instead of the working directory.
    pub fn start_from(&self, dir: PathBuf) {
        let _ = self.start.set(dir);
    }

    /// The settings: the file given, else `recovery.toml` in the project root, else the defaults.
    ///
    /// # Errors
    /// Where they have a mistake.
    pub fn settings(&self) -> Result<&ProjectSettings, ProjectError> {
        if let Some(settings) = self.settings.get() {
            return Ok(settings);
        }
        let settings = match &self.overrides.settings_file {
            Some(path) => ProjectSettings::read(path)?,
            None => location::settings(&self.root()?, self.overrides.warn)?,
        };
        Ok(self.settings.get_or_init(|| settings))
    }

    /// The project root above the working directory.
    ///
    /// # Errors
    /// Where there is no working directory.
    pub fn root(&self) -> Result<PathBuf, ProjectError> {
        match self.start.get() {
            Some(dir) => Ok(location::root(dir)),
            None => {
                let dir = std::env::current_dir().map_err(ProjectError::io("find", "the working directory"))?;
                Ok(location::root(&dir))
            }
        }
    }

    /// Where state is kept.
    ///
    /// # Errors
    /// Where that is a directory of the project's that is not the user's own.
    pub fn state_dir(&self) -> Result<PathBuf, ProjectError> {
        if let Some(dir) = self.checked_state_dir.get() {
            return Ok(dir.clone());
        }
        let dir = match &self.overrides.state_dir {
            // The user may name a link; what it leads to is where files must not be links.
            Some(dir) => dir.canonicalize().unwrap_or_else(|_| dir.clone()),
            None => location::state_dir(&self.root()?)?,
        };
        Ok(self.checked_state_dir.get_or_init(|| dir).clone())
    }

    /// Where the journal is: what the user named, else `RECOVERY_STORE`, else `store` in settings that are believed, else the
    /// state directory.
    ///
    /// # Errors
    /// Where the address makes no sense, or as [`Self::settings`] and [`Self::state_dir`].
    pub fn store(&self) -> Result<Store, ProjectError> {
        let variable = || std::env::var("RECOVERY_STORE").ok().filter(|text| !text.is_empty());
        let named = match self.overrides.store.clone().or_else(variable) {
            Some(address) => Some(address),
            None => self.settings()?.store().map(str::to_owned),
        };
        match named {
            Some(address) => {
                let store = Store::parse(&address)?;
                // Without a state directory nothing is kept while the server is away, as without a spool.
                let state_dir = if store.is_shared() { self.state_dir().ok() } else { None };
                let warn = self.overrides.warn;
                Ok(match state_dir {
                    Some(state_dir) => store.with_spool(Spool::new(state_dir, warn)),
                    None => store,
                })
            }
            None => Ok(Store::Directory(self.state_dir()?)),
        }
    }

    /// Where issues.md and learnings.md are kept.
    ///
    /// # Errors
    /// Where the settings name a directory outside the project.
    pub fn notes_dir(&self) -> Result<PathBuf, ProjectError> {
        match self.settings()?.notes_dir() {
            Some(dir) => location::notes_dir(&self.root()?, dir),
            None => self.state_dir(),
        }
    }

    /// Where this project keeps its record, and how its failures are judged.
    ///
    /// # Errors
    /// As the methods above.
    pub fn setup(&self) -> Result<Setup, ProjectError> {
        Ok(Setup {
            notes_dir: self.notes_dir()?,
            head: recovery_git::head(&self.root()?),
            warn: self.overrides.warn_of_note,
            store: self.store()?,
            ..Setup::new(self.engine()?.into(), self.state_dir()?)
        })
    }

    /// Where the record is kept, for whoever is about to write to it: a place outside the folder is reported to the user once.
    ///
    /// # Errors
    /// As [`Self::state_dir`].
    pub fn written_state_dir(&self) -> Result<PathBuf, ProjectError> {
        let dir = self.state_dir()?;
        if let Some(announcement) = location::announcement(&self.root()?, &dir) {
            (self.overrides.warn)(&announcement);
        }
        Ok(dir)
    }

    /// The project's service, with a journal that is made where there is none.
    ///
    /// # Errors
    /// Where the journal cannot be opened, or as [`Self::setup`].
    pub fn service(&self) -> Result<Service, ProjectError> {
        self.written_state_dir()?;
        Ok(Service::open(self.setup()?)?)
    }

    /// The project's service to read from; `None` where nothing is recorded yet.
    ///
    /// # Errors
    /// Where the journal cannot be opened, or as [`Self::setup`].
    pub fn existing_service(&self) -> Result<Option<Service>, ProjectError> {
        Ok(Service::open_existing(self.setup()?)?)
    }

    /// Records the time limits that have passed, so that whatever is shown or done next goes on from there; a journal that
    /// nobody has looked at for long takes several calls, or `recovery tick`. Where that is not possible, the next call that opens the journal reports why.
    pub fn apply_time_limits(&self) {
        let is_overdue = |service: Service| service.is_overdue().unwrap_or(false);
        if self.existing_service().ok().flatten().is_some_and(is_overdue) {
            let _ = self.service().map(|mut service| service.tick_some(MAX_TICKED_TASKS));
        }
    }

    /// The engine with the user's settings.
    ///
    /// # Errors
    /// Where the settings have a mistake.
    pub fn engine(&self) -> Result<Engine, ProjectError> {
        self.settings()?.engine(self.overrides.pack)
    }
}
