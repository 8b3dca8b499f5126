//! Finds the files of other systems in a directory.
//!
//! In: a directory. Out: the files in it and below it that some format claims by name, or by frontmatter, in the order of
//! import: a plan comes before what happened to its nodes. Depth and number are limited, so that a wrong directory (a home,
//! `node_modules`) ends with an answer. A new format is found here once `Format` names its file.

use super::{Format, plan};
use crate::{ServiceError, notes};
use std::path::{Path, PathBuf};

/// Directories further down are not searched.
const MAX_DEPTH: usize = 4;
const MAX_FILES: usize = 2000;

/// The files of other systems in `dir` and below it, in the order in which they are to be imported: a plan comes before what
/// happened to its nodes.
///
/// # Errors
/// Where a directory cannot be read, or none of the files belongs to a known system.
pub fn files_in(dir: &Path) -> Result<Vec<PathBuf>, ServiceError> {
    let mut open = vec![(dir.to_path_buf(), 0)];
    let mut files = Vec::new();
    while let Some((dir, depth)) = open.pop() {
        let unreadable = |error| ServiceError::Foreign { reason: format!("cannot read {}: {error}", dir.display()) };
        for entry in std::fs::read_dir(&dir).map_err(unreadable)?.filter_map(Result::ok) {
            let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
            if kind.is_dir() && depth < MAX_DEPTH {
                open.push((path, depth + 1));
            } else if kind.is_file() && is_foreign(&path) && files.len() < MAX_FILES {
                files.push(path);
            }
        }
    }
    files.sort_by_key(|path| {
        (!path.ends_with("active.json") && path.extension().is_none_or(|extension| extension != "md"), path.clone())
    });
    if files.is_empty() {
        let reason = format!("{} has no file of another system that is known here", dir.display());
        return Err(ServiceError::Foreign { reason });
    }
    Ok(files)
}

fn is_foreign(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let starts_with_frontmatter =
        || std::fs::read(path).is_ok_and(|text| plan::has_frontmatter(&String::from_utf8_lossy(&text)));
    Format::ALL.iter().any(|format| format.file() == name)
        || notes::FILES.contains(&name)
        || (name.ends_with(".md") && starts_with_frontmatter())
}
