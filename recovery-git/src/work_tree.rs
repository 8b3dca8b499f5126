//! The work tree as bytes: what is on disk becomes blobs, and blobs become files, without any conversion.
//!
//! In: a repository. Out: every file with its mode and the id of its bytes; and the way back. Git's own commands apply
//! attributes (line ends, `ident`, filters) on both ways, from `.gitattributes`, `.git/info/attributes` and
//! `core.attributesFile`, and a filter is a program that the repository's settings name. So files are listed by git, which
//! knows what is ignored, but read by `git hash-object --no-filters` and written from `git cat-file`. Nothing is ever
//! written through a link, and nothing is removed that was not saved.

use crate::backup::{Scratch, in_the_way};
use crate::error::{Context as _, ensure};
use crate::{GitError, Repo, finish, finish_bytes};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is at a path, as git's modes distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Executable,
    Link,
    /// A repository of its own: a submodule. Its files are never touched.
    Repository,
}

impl Kind {
    fn of_mode(mode: &[u8]) -> Self {
        match mode {
            b"100755" => Self::Executable,
            b"120000" => Self::Link,
            b"160000" => Self::Repository,
            _ => Self::File,
        }
    }

    /// The permissions that git gives a file of this kind, before the user's mask.
    const fn permissions(self) -> u32 {
        match self {
            Self::Executable => 0o755,
            Self::File | Self::Link | Self::Repository => 0o644,
        }
    }

    fn mode(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Link => "120000",
            Self::Repository => "160000",
        }
    }
}

/// A file: its kind and the id of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub kind: Kind,
    pub id: String,
}

/// Files by path, as bytes from the top of the work tree.
pub(crate) type Entries = BTreeMap<Vec<u8>, Entry>;

/// Permissions of files by path, where they are not those that git gives a file of its kind.
pub(crate) type Permissions = BTreeMap<Vec<u8>, u32>;

/// An entry of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IndexEntry {
    pub path: Vec<u8>,
    pub kind: Kind,
    pub id: String,
    /// 0, or 1 to 3 in a conflict.
    pub stage: u8,
    /// Whether the user told git to leave the file alone (`skip-worktree`).
    pub is_hidden: bool,
}

/// Everything that a rollback could change.
#[derive(Debug)]
pub(crate) struct WorkTree {
    /// What is on disk: tracked, untracked, and ignored where it is in the way.
    pub files: Entries,
    /// What the index contains.
    pub index: Vec<IndexEntry>,
    /// Directories with nothing in them.
    pub empty_directories: Vec<Vec<u8>>,
    /// Permissions that a tree cannot hold: a file that only the user may read comes back as one.
    pub permissions: Permissions,
}

/// What becomes of the bytes that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenAs {
    /// They are stored in the repository.
    Objects,
    /// They are only hashed.
    Nothing,
}

impl Repo {
    /// Reads the work tree as it is on disk, with those ignored files that `target` would overwrite.
    pub(crate) fn work_tree(&self, scratch: &Scratch, target: &str, as_: WrittenAs) -> Result<WorkTree, GitError> {
        let index = self.index_entries()?;
        let mut files = Entries::new();
        let mut paths: BTreeSet<Vec<u8>> = BTreeSet::new();
        for entry in &index {
            if entry.kind != Kind::Repository {
                paths.insert(entry.path.clone());
            } else if self.top.join(OsStr::from_bytes(&entry.path)).is_dir() {
                files.insert(entry.path.clone(), Entry { kind: entry.kind, id: entry.id.clone() });
            }
        }
        let untracked = self.paths(&["ls-files", "-z", "--others", "--exclude-standard"])?;
        paths.extend(untracked.into_iter().filter(|path| !path.ends_with(b"/") && !path.starts_with(b".recovery/")));
        paths.extend(self.ignored_files_of(target)?);
        let mut found = Vec::new();
        let mut permissions = Permissions::new();
        for path in paths {
            if let Some((kind, mode)) = self.kind_on_disk(&path)? {
                if kind != Kind::Link && mode != kind.permissions() {
                    permissions.insert(path.clone(), mode);
                }
                found.push((path, kind));
            }
        }
        let ids = self.hash_files(scratch, &found, as_)?;
        files.extend(found.into_iter().zip(ids).map(|((path, kind), id)| (path, Entry { kind, id })));
        Ok(WorkTree { files, index, empty_directories: self.empty_directories()?, permissions })
    }

    /// The files of a commit or tree.
    pub(crate) fn tree(&self, tree: &str) -> Result<Entries, GitError> {
        let listed = self.paths(&["ls-tree", "-r", "-z", "--full-tree", tree])?;
        let entry = |line: &[u8]| {
            let (words, path) = split_at_tab(line)?;
            let mut words = words.split(|byte| *byte == b' ');
            let kind = Kind::of_mode(words.next()?);
            Some((path.to_vec(), Entry { kind, id: String::from_utf8(words.nth(1)?.to_vec()).ok()? }))
        };
        listed.iter().map(|line| entry(line).context("git ls-tree printed something else")).collect()
    }

    /// The entries of the index.
    pub(crate) fn index_entries(&self) -> Result<Vec<IndexEntry>, GitError> {
        // `S` before an entry, in either case: skip-worktree.
        let listed = self.paths(&["ls-files", "-z", "-v", "--stage"])?;
        let entry = |line: &[u8]| {
            let (words, path) = split_at_tab(line)?;
            let words: Vec<&[u8]> = words.split(|byte| *byte == b' ').collect();
            let [tag, mode, id, stage] = words.as_slice() else { return None };
            Some(IndexEntry {
                path: path.to_vec(),
                kind: Kind::of_mode(mode),
                id: String::from_utf8(id.to_vec()).ok()?,
                stage: stage.first()?.wrapping_sub(b'0'),
                is_hidden: tag.eq_ignore_ascii_case(b"S"),
            })
        };
        listed.iter().map(|line| entry(line).context("git ls-files printed something else")).collect()
    }

    /// What a git command with `-z` lists.
    pub(crate) fn paths(&self, args: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        let listed = finish_bytes(self.command().args(args))?;
        Ok(listed.split(|b| *b == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect())
    }

    /// A git command on another index.
    pub(crate) fn on_index(&self, index: &Path) -> Command {
        let mut command = self.command();
        command.args(["-c", "core.protectHFS=true", "-c", "core.protectNTFS=true"]).env("GIT_INDEX_FILE", index);
        command
    }

    /// A tree of these files.
    pub(crate) fn make_tree(
        &self,
        scratch: &Scratch,
        files: impl Iterator<Item = (Vec<u8>, Kind, String)>,
    ) -> Result<String, GitError> {
        let (index, list) = (scratch.path("tree-index"), scratch.path("tree-list"));
        let _ = std::fs::remove_file(&index);
        let mut lines = Vec::new();
        for (path, kind, id) in files {
            lines.extend_from_slice(format!("{} {id}\t", kind.mode()).as_bytes());
            lines.extend_from_slice(&path);
            lines.push(0);
        }
        std::fs::write(&list, lines)?;
        finish(self.on_index(&index).args(["update-index", "-z", "--index-info"]).stdin(File::open(&list)?))?;
        // What `git add --intent-to-add` noted has no blob yet.
        finish(self.on_index(&index).args(["write-tree", "--missing-ok"]))
    }

    /// Stores `contents` and returns their ids.
    pub(crate) fn store_blobs(&self, scratch: &Scratch, contents: &[&[u8]]) -> Result<Vec<String>, GitError> {
        let mut paths = Vec::new();
        for (n, content) in contents.iter().enumerate() {
            let path = scratch.path(&format!("blob-{n}"));
            std::fs::write(&path, content)?;
            paths.push(path.into_os_string().as_bytes().to_vec());
        }
        self.hash_paths(scratch, &paths, WrittenAs::Objects)
    }

    /// The bytes of a blob.
    pub(crate) fn blob(&self, name: &str) -> Result<Vec<u8>, GitError> {
        finish_bytes(self.command().args(["cat-file", "blob", name]))
    }

    /// Makes the work tree's files those of `wanted`: what is tracked and not wanted goes, what differs is written. Paths
    /// in `kept`, repositories of their own, and untracked files that are not in the way stay. A file is created with its
    /// `permissions`, so that nobody else reads it in the meantime.
    pub(crate) fn write(
        &self,
        scratch: &Scratch,
        now: &WorkTree,
        wanted: &Entries,
        kept: &BTreeSet<Vec<u8>>,
        permissions: &Permissions,
    ) -> Result<(), GitError> {
        let is_free = |path: &[u8]| !kept.contains(path);
        for entry in now.index.iter().filter(|entry| entry.kind != Kind::Repository && is_free(&entry.path)) {
            if !wanted.contains_key(&entry.path) && now.files.contains_key(&entry.path) {
                self.remove(now, &entry.path)?;
            }
        }
        let differs = |(path, entry): &(&Vec<u8>, &Entry)| {
            entry.kind != Kind::Repository && is_free(path) && now.files.get(*path) != Some(*entry)
        };
        let differing: Vec<(&Vec<u8>, &Entry)> = wanted.iter().filter(differs).collect();
        let ids: String = differing.iter().map(|(_, entry)| format!("{}\n", entry.id)).collect();
        let list = scratch.path("wanted-blobs");
        std::fs::write(&list, ids)?;
        let mut cat = self
            .command()
            .args(["cat-file", "--batch"])
            .stdin(File::open(&list)?)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot run git")?;
        let mut blobs = BufReader::new(cat.stdout.take().context("git has no output")?);
        for (path, entry) in differing {
            let mut header = String::new();
            blobs.read_line(&mut header)?;
            let size = header.trim_end().strip_prefix(&entry.id).and_then(|rest| rest.strip_prefix(" blob "));
            let size: u64 = size.and_then(|size| size.parse().ok()).with_context(|| {
                format!("git has no blob {} for {}", entry.id, Path::new(OsStr::from_bytes(path)).display())
            })?;
            let mode = permissions.get(path).copied();
            self.write_file(now, path, entry.kind, mode, &mut (&mut blobs).take(size))?;
            blobs.read_exact(&mut [0])?;
        }
        cat.wait()?;
        Ok(())
    }

    /// Gives every file of `files` its permissions, or those of its kind.
    pub(crate) fn set_permissions(&self, files: &Entries, permissions: &Permissions) -> Result<(), GitError> {
        for (path, entry) in files.iter().filter(|(_, entry)| matches!(entry.kind, Kind::File | Kind::Executable)) {
            let wanted = permissions.get(path).copied().unwrap_or(entry.kind.permissions());
            let full = self.on_disk(path);
            if self.kind_on_disk(path)?.is_some_and(|(kind, mode)| kind != Kind::Link && mode != wanted) {
                std::fs::set_permissions(&full, std::fs::Permissions::from_mode(wanted))
                    .with_context(|| format!("cannot set the permissions of {}", full.display()))?;
            }
        }
        Ok(())
    }

    /// Makes a directory where nothing is.
    pub(crate) fn make_directory(&self, now: &WorkTree, path: &[u8]) -> Result<(), GitError> {
        if path.is_empty() {
            return Ok(());
        }
        self.make_parents(now, &[path, b"/x"].concat())
    }

    fn write_file(
        &self,
        now: &WorkTree,
        path: &[u8],
        kind: Kind,
        permissions: Option<u32>,
        bytes: &mut impl std::io::Read,
    ) -> Result<(), GitError> {
        let full = self.on_disk(path);
        let shown = || format!("cannot write {}", full.display());
        self.make_parents(now, path)?;
        match full.symlink_metadata() {
            Ok(found) if found.is_dir() => self.remove_directory(now, path)?,
            Ok(_) => {
                ensure!(now.files.contains_key(path), "{} appeared just now", full.display());
                std::fs::remove_file(&full).with_context(shown)?;
            }
            Err(_) => {}
        }
        if kind == Kind::Link {
            let mut target = Vec::new();
            bytes.read_to_end(&mut target)?;
            return symlink(OsStr::from_bytes(&target), &full).with_context(shown);
        }
        let mode = permissions.unwrap_or(if kind == Kind::Executable { 0o777 } else { 0o666 });
        let mut file = File::options().write(true).create_new(true).mode(mode).open(&full).with_context(shown)?;
        std::io::copy(bytes, &mut file).with_context(shown)?;
        Ok(())
    }

    /// Makes the directories above `path`. A file or link among them was saved, or this is refused.
    fn make_parents(&self, now: &WorkTree, path: &[u8]) -> Result<(), GitError> {
        for (end, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let above = &path[..end];
            let full = self.on_disk(above);
            match full.symlink_metadata() {
                Ok(found) if found.is_dir() => continue,
                Ok(_) => self.remove(now, above)?,
                Err(_) => {}
            }
            std::fs::create_dir_all(&full).with_context(|| format!("cannot make {}", full.display()))?;
        }
        Ok(())
    }

    /// Removes a file that was saved, and the directories above it that are empty then.
    fn remove(&self, now: &WorkTree, path: &[u8]) -> Result<(), GitError> {
        let full = self.on_disk(path);
        ensure!(now.files.contains_key(path), "{} was not saved, so it is not removed", full.display());
        std::fs::remove_file(&full).with_context(|| format!("cannot remove {}", full.display()))?;
        for above in full.ancestors().skip(1).take_while(|above| *above != self.top) {
            if std::fs::remove_dir(above).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Removes a directory in which everything was saved.
    fn remove_directory(&self, now: &WorkTree, path: &[u8]) -> Result<(), GitError> {
        let full = self.on_disk(path);
        for entry in std::fs::read_dir(&full)? {
            let entry = entry?;
            let inner = [path, b"/", entry.file_name().as_bytes()].concat();
            if entry.file_type()?.is_dir() {
                self.remove_directory(now, &inner)?;
            } else {
                ensure!(
                    now.files.contains_key(&inner),
                    "{} was not saved, so it is not removed",
                    entry.path().display()
                );
                std::fs::remove_file(entry.path())?;
            }
        }
        std::fs::remove_dir(&full).with_context(|| format!("cannot remove {}", full.display()))
    }

    /// Ignored files that `target` would overwrite or remove.
    fn ignored_files_of(&self, target: &str) -> Result<Vec<Vec<u8>>, GitError> {
        let theirs: BTreeSet<Vec<u8>> = self.tree(target)?.into_keys().collect();
        let mut ignored = self.paths(&["ls-files", "-z", "--others", "--ignored", "--exclude-standard"])?;
        ignored.retain(|path| !path.ends_with(b"/") && in_the_way(path, &theirs).is_some());
        Ok(ignored)
    }

    /// Directories with nothing in them, outside repositories of their own.
    fn empty_directories(&self) -> Result<Vec<Vec<u8>>, GitError> {
        let mut folders = vec![Vec::new()];
        let mut empty = Vec::new();
        while let Some(folder) = folders.pop() {
            let (full, known) = (self.on_disk(&folder), folders.len());
            let mut is_empty = true;
            for entry in std::fs::read_dir(&full).with_context(|| format!("cannot read {}", full.display()))? {
                let entry = entry?;
                is_empty = false;
                let is_own = folder.is_empty() && (entry.file_name() == ".git" || entry.file_name() == ".recovery");
                if entry.file_name() == ".git" && !folder.is_empty() {
                    folders.truncate(known);
                    break;
                }
                if entry.file_type()?.is_dir() && !is_own {
                    let slash: &[u8] = if folder.is_empty() { b"" } else { b"/" };
                    folders.push([&folder, slash, entry.file_name().as_bytes()].concat());
                }
            }
            if is_empty {
                empty.push(folder);
            }
        }
        Ok(empty)
    }

    /// What is at `path`, with its permissions; none where no file is, or where the way to it leads through a link.
    fn kind_on_disk(&self, path: &[u8]) -> Result<Option<(Kind, u32)>, GitError> {
        let behind_link = path
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'/')
            .any(|(end, _)| self.on_disk(&path[..end]).symlink_metadata().is_ok_and(|above| !above.is_dir()));
        if behind_link {
            return Ok(None);
        }
        let full = self.on_disk(path);
        match full.symlink_metadata() {
            Ok(found) => {
                let mode = found.permissions().mode() & 0o777;
                let kind = match () {
                    () if found.is_symlink() => Kind::Link,
                    () if found.is_file() && mode & 0o100 != 0 => Kind::Executable,
                    () if found.is_file() => Kind::File,
                    () => return Ok(None),
                };
                Ok(Some((kind, mode)))
            }
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", full.display())),
        }
    }

    fn hash_files(
        &self,
        scratch: &Scratch,
        files: &[(Vec<u8>, Kind)],
        as_: WrittenAs,
    ) -> Result<Vec<String>, GitError> {
        let mut paths = Vec::with_capacity(files.len());
        for (n, (path, kind)) in files.iter().enumerate() {
            if *kind == Kind::Link {
                // Git would hash what the link leads to.
                let copy = scratch.path(&format!("link-{n}"));
                std::fs::write(&copy, std::fs::read_link(self.on_disk(path))?.as_os_str().as_bytes())?;
                paths.push(copy.into_os_string().as_bytes().to_vec());
            } else {
                paths.push(path.clone());
            }
        }
        self.hash_paths(scratch, &paths, as_)
    }

    /// The ids of the bytes of files, in order.
    fn hash_paths(&self, scratch: &Scratch, paths: &[Vec<u8>], as_: WrittenAs) -> Result<Vec<String>, GitError> {
        let list = scratch.path("hash-list");
        std::fs::write(&list, paths.iter().flat_map(|path| quoted(path)).collect::<Vec<u8>>())?;
        let mut hash = self.command();
        hash.args(["hash-object", "--no-filters", "--stdin-paths"]).stdin(File::open(&list)?);
        if as_ == WrittenAs::Objects {
            hash.arg("-w");
        }
        let ids: Vec<String> = finish(&mut hash)?.lines().map(str::to_owned).collect();
        ensure!(ids.len() == paths.len(), "git hashed {} of {} files", ids.len(), paths.len());
        Ok(ids)
    }

    fn on_disk(&self, path: &[u8]) -> PathBuf {
        self.top.join(OsStr::from_bytes(path))
    }
}

/// A path on a line of its own, as git reads names that hold anything.
fn quoted(path: &[u8]) -> Vec<u8> {
    let mut line = vec![b'"'];
    for byte in path {
        match byte {
            b'"' | b'\\' => line.extend([b'\\', *byte]),
            b' '..=b'~' => line.push(*byte),
            _ => line.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    line.extend(b"\"\n");
    line
}

fn split_at_tab(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    Some((line.get(..tab)?, line.get(tab + 1..)?))
}
