//! Rollbacks in real git repositories: whatever was there can be had back, byte for byte.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Output of a broken build.
const BROKEN: &str = "src/a.c:1:1: syntax error\n";

/// A repository with one good commit that is recorded as such, and later work on top of it.
struct Project {
    dir: TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap() };
        project.git(&["init", "--quiet", "--initial-branch=main"]);
        project.write("a.txt", "good\n");
        project.write("dir/b.txt", "good b\n");
        project.git(&["add", "."]);
        project.commit("good");
        project.recovery(&["checkpoint"], "");
        project.write("a.txt", "bad\n");
        project.git(&["commit", "--quiet", "--all", "--message", "bad"]);
        project
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn commit(&self, message: &str) {
        self.git(&["commit", "--quiet", "--message", message]);
    }

    fn git(&self, args: &[&str]) -> String {
        git(self.path(), args)
    }

    /// A broken build is recorded; going back is what follows.
    fn break_build(&self) {
        let out = self.recovery(&["decide", "--task", "t", "--format", "json", "--pack", "documented"], BROKEN);
        let decision: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(decision["tree"], "roll_back", "{decision}");
        assert_eq!(decision["diagnosis"]["recovery_action"]["action"], "rollback");
    }

    fn recovery(&self, args: &[&str], input: &str) -> Output {
        recovery(self.path(), args, input)
    }

    /// Every file outside .git and .recovery with its bytes, and what git says of HEAD and the index.
    fn everything(&self) -> (BTreeMap<PathBuf, Vec<u8>>, String, String) {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap();
                if name == ".git" || name == ".recovery" {
                    continue;
                } else if path.is_dir() {
                    folders.push(path);
                } else {
                    files.insert(path.clone(), std::fs::read(&path).unwrap());
                }
            }
        }
        (files, self.git(&["rev-parse", "HEAD"]), self.git(&["ls-files", "--stage"]))
    }

    /// Going back keeps nothing of the bad work, and undoing it brings everything back.
    fn goes_back_and_forth(&self) {
        let before = self.everything();
        let out = self.recovery(&["rollback", "--task", "t", "--format", "json"], "");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let done: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(self.read("a.txt"), "good\n");
        assert_eq!(self.git(&["rev-parse", "HEAD"]), done["to"]);
        let name = done["backup"].as_str().unwrap().strip_prefix("refs/recovery/backup/").unwrap().to_owned();
        let out = self.recovery(&["rollback", "--undo", &name], "");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        assert_eq!(self.everything(), before);
    }
}

fn recovery(dir: &Path, args: &[&str], input: &str) -> Output {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_recovery"))
        .current_dir(dir)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn git(dir: &Path, args: &[&str]) -> String {
    let out = Command::new("git")
        .current_dir(dir)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"])
        .args(args)
        .output()
        .unwrap();
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap().trim_end().to_owned()
}

#[test]
fn a_clean_tree() {
    let project = Project::new();
    project.break_build();
    project.goes_back_and_forth();
}

#[test]
fn a_dirty_tree_with_staged_unstaged_and_untracked_work() {
    let project = Project::new();
    project.write("a.txt", "staged\n");
    project.git(&["add", "a.txt"]);
    project.write("a.txt", "staged and changed\n");
    project.write("dir/b.txt", "crlf\r\nand \0 bytes \u{fffd}\r\n");
    project.write("new/untracked.txt", "not in git\n");
    project.write("added.txt", "added\n");
    project.git(&["add", "added.txt"]);
    std::fs::remove_file(project.path().join("added.txt")).unwrap();
    project.break_build();
    project.goes_back_and_forth();
}

#[test]
fn line_end_conversion_changes_no_byte() {
    let project = Project::new();
    project.write(".gitattributes", "* text=auto eol=lf\n");
    project.git(&["add", ".gitattributes"]);
    project.commit("attributes");
    project.write("dir/b.txt", "one\r\ntwo\r\n");
    project.write("untracked.txt", "one\r\ntwo\n");
    project.break_build();
    project.goes_back_and_forth();
}

#[test]
fn an_ignored_file_that_the_good_commit_has_is_saved_too() {
    let project = Project::new();
    project.git(&["rm", "--quiet", "--cached", "dir/b.txt"]);
    project.write(".gitignore", "dir/\n");
    project.git(&["add", ".gitignore"]);
    project.commit("dir is ignored now");
    project.write("dir/b.txt", "precious, and ignored\n");
    project.break_build();
    let out = project.recovery(&["rollback", "--task", "t", "--format", "json"], "");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(project.read("dir/b.txt"), "good b\n");
    let done: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let saved = project.git(&["show", &format!("{}:dir/b.txt", done["backup"].as_str().unwrap())]);
    assert_eq!(saved, "precious, and ignored");
}

#[test]
fn a_head_that_moved_is_not_touched() {
    let project = Project::new();
    project.break_build();
    project.write("c.txt", "someone else's work\n");
    project.git(&["add", "c.txt"]);
    project.commit("meanwhile");
    let before = project.everything();
    let out = project.recovery(&["rollback", "--task", "t"], "");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("HEAD moved"), "{out:?}");
    assert_eq!(project.everything(), before);
}

#[test]
fn a_merge_or_rebase_under_way_is_not_touched() {
    let project = Project::new();
    project.break_build();
    for (mark, word) in [("MERGE_HEAD", "merge"), ("rebase-merge", "rebase")] {
        let path = project.path().join(".git").join(mark);
        if word == "merge" {
            std::fs::write(&path, project.git(&["rev-parse", "HEAD"]))
        } else {
            std::fs::create_dir(&path)
        }
        .unwrap();
        let before = project.everything();
        let out = project.recovery(&["rollback", "--task", "t"], "");
        assert_eq!(out.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&out.stderr).contains(&format!("a {word} is under way")), "{out:?}");
        assert_eq!(project.everything(), before);
        let _ = std::fs::remove_file(&path);
    }
}

#[test]
fn a_detached_head() {
    let project = Project::new();
    project.git(&["checkout", "--quiet", "--detach"]);
    project.write("a.txt", "detached work\n");
    project.break_build();
    project.goes_back_and_forth();
}

#[test]
fn a_branch_switched_since_is_not_overwritten_by_an_undo() {
    let project = Project::new();
    project.break_build();
    let out = project.recovery(&["rollback", "--task", "t", "--format", "json"], "");
    let done: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    project.git(&["switch", "--quiet", "--create", "other"]);
    let before = project.everything();
    let name = done["backup"].as_str().unwrap().rsplit('/').next().unwrap();
    let out = project.recovery(&["rollback", "--undo", name], "");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("on main"), "{out:?}");
    assert_eq!(project.everything(), before);
}

#[test]
fn a_submodule_keeps_its_work() {
    let library = tempfile::tempdir().unwrap();
    git(library.path(), &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(library.path().join("lib.txt"), "lib\n").unwrap();
    git(library.path(), &["add", "."]);
    git(library.path(), &["commit", "--quiet", "--message", "lib"]);
    let project = Project::new();
    project.git(&["submodule", "--quiet", "add", library.path().to_str().unwrap(), "sub"]);
    project.commit("submodule");
    project.recovery(&["checkpoint"], "");
    project.write("a.txt", "worse\n");
    project.write("sub/lib.txt", "uncommitted work in the submodule\n");
    project.break_build();
    let out = project.recovery(&["rollback", "--task", "t"], "");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(project.read("a.txt"), "bad\n");
    assert_eq!(project.read("sub/lib.txt"), "uncommitted work in the submodule\n");
}

#[test]
fn a_linked_work_tree() {
    let project = Project::new();
    let linked = project.path().join("../linked-work-tree");
    let linked_name = format!("{}-linked", project.path().file_name().unwrap().to_str().unwrap());
    let linked = linked.with_file_name(linked_name);
    project.git(&["worktree", "add", "--quiet", "-b", "side", linked.to_str().unwrap()]);
    recovery(&linked, &["checkpoint", "HEAD~1"], "");
    std::fs::write(linked.join("a.txt"), "side work\n").unwrap();
    let out = recovery(&linked, &["decide", "--task", "t", "--format", "json", "--pack", "documented"], BROKEN);
    assert!(out.status.success());
    let out = recovery(&linked, &["rollback", "--task", "t", "--format", "json"], "");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(std::fs::read_to_string(linked.join("a.txt")).unwrap(), "good\n");
    assert_eq!(project.read("a.txt"), "bad\n");
    let done: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let name = done["backup"].as_str().unwrap().rsplit('/').next().unwrap();
    assert!(recovery(&linked, &["rollback", "--undo", name], "").status.success());
    assert_eq!(std::fs::read_to_string(linked.join("a.txt")).unwrap(), "side work\n");
    std::fs::remove_dir_all(&linked).unwrap();
}

#[test]
fn nothing_is_touched_without_a_decision_for_it() {
    let project = Project::new();
    let before = project.everything();
    let out = project.recovery(&["rollback", "--task", "t"], "");
    assert_ne!(out.status.code(), Some(0));
    project.recovery(&["decide", "--task", "t"], "connect ECONNREFUSED 127.0.0.1:1\n");
    let out = project.recovery(&["rollback", "--task", "t"], "");
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(project.everything(), before);
}

#[test]
fn a_rollback_happens_once() {
    let project = Project::new();
    project.break_build();
    assert!(project.recovery(&["rollback", "--task", "t"], "").status.success());
    let out = project.recovery(&["rollback", "--task", "t"], "");
    assert_eq!(out.status.code(), Some(1), "{out:?}");
}
