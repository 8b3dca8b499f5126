//! Rollbacks in real git repositories: whatever was there can be had back, byte for byte.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Output of a broken build.
const BROKEN: &str = "src/a.c:1:1: syntax error\n";

/// Every path with its mode and its bytes.
type Files = BTreeMap<PathBuf, (u32, Vec<u8>)>;

/// A repository with one good commit that is recorded as such, and later work on top of it.
struct Project {
    dir: TempDir,
}

impl Project {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(init: &[&str]) -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap() };
        project.git(&[&["init", "--quiet", "--initial-branch=main"], init].concat());
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
        let out = self.recovery(
            &["decide", "--exit-code", "1", "--task", "t", "--format", "json", "--pack", "documented"],
            BROKEN,
        );
        let decision: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(decision["tree"], "roll_back", "{decision}");
        assert_eq!(decision["diagnosis"]["recovery_action"]["action"], "rollback");
    }

    fn recovery(&self, args: &[&str], input: &str) -> Output {
        recovery(self.path(), args, input)
    }

    /// Every file, link and directory outside .git and .recovery with its bytes, and what git reports of HEAD and the index.
    fn everything(&self) -> (Files, String, String) {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap();
                let meta = path.symlink_metadata().unwrap();
                if name == ".git" || name == ".recovery" {
                    continue;
                } else if meta.is_dir() {
                    files.insert(path.clone(), (0, Vec::new()));
                    folders.push(path);
                } else if meta.is_symlink() {
                    let target = std::fs::read_link(&path).unwrap();
                    files.insert(path, (1, target.into_os_string().into_encoded_bytes()));
                } else {
                    let executable = meta.permissions().mode() & 0o100;
                    files.insert(path.clone(), (2 + executable, std::fs::read(&path).unwrap()));
                }
            }
        }
        (
            files,
            self.git(&["rev-parse", "HEAD"]),
            self.git(&["ls-files", "-v", "--stage", "--debug"]).lines().filter(is_stable).collect(),
        )
    }

    /// A repository of its own inside the project, with a commit and an uncommitted change in `f`.
    fn nest(&self, folder: &str) {
        self.write(&format!("{folder}/f"), "committed in the nested repository\n");
        let nested = self.path().join(folder);
        git(&nested, &["init", "--quiet", "--initial-branch=main"]);
        git(&nested, &["add", "."]);
        git(&nested, &["commit", "--quiet", "--message", "nested"]);
        self.write(&format!("{folder}/f"), "uncommitted in the nested repository\n");
    }

    /// The command is refused with a message that has each of `words`; nothing is touched and nothing is saved.
    fn refuses(&self, args: &[&str], words: &[&str]) {
        let state = || (self.everything(), self.git(&["for-each-ref"]));
        let before = state();
        let out = self.recovery(args, "");
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
        for word in words {
            assert!(said.contains(word), "{args:?}: {word:?} is not in {said}");
        }
        assert!(!said.trim_end().ends_with("git:"), "{args:?}: an empty cause in {said}");
        assert_eq!(state(), before, "{args:?}");
    }

    /// Both the rollback and its dry run are refused.
    fn refuses_to_go_back(&self, words: &[&str]) {
        self.refuses(&["rollback", "--task", "t", "--dry-run"], words);
        self.refuses(&["rollback", "--task", "t"], words);
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

/// Lines of `git ls-files --debug` that are not stat data: entries, and the flags of each.
fn is_stable(line: &&str) -> bool {
    !["ctime:", "mtime:", "dev:", "uid:"].iter().any(|stat| line.trim_start().starts_with(stat))
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
fn ignored_files_in_a_folder_that_is_a_file_in_the_good_commit_come_back() {
    let project = Project::new();
    project.git(&["rm", "--quiet", "a.txt"]);
    project.write(".gitignore", "a.txt/\n");
    project.git(&["add", ".gitignore"]);
    project.commit("a.txt is a folder of build products now");
    project.write("a.txt/product", "ignored, and in the way\n");
    project.break_build();
    project.goes_back_and_forth();
}

#[test]
fn a_nested_repository_that_the_good_commit_would_overwrite_is_not_touched() {
    // The folder of a file of the good commit, that file's own path, and a folder in that file's place.
    for (removed, nested, file) in
        [("dir", "dir", "dir/b.txt"), ("a.txt", "a.txt", "a.txt"), ("a.txt", "a.txt/deep", "a.txt")]
    {
        for ignored in [false, true] {
            let project = Project::new();
            project.git(&["rm", "-r", "--quiet", removed]);
            if ignored {
                project.write(".gitignore", format!("{removed}/\n"));
                project.git(&["add", ".gitignore"]);
            }
            project.commit("removed");
            project.nest(nested);
            project.break_build();
            let named = format!("{nested} is a git repository of its own");
            let there = format!("has the file {file} there");
            project.refuses_to_go_back(&[&named, &there, "nothing was touched", "Move"]);
            // What the message recommends helps.
            let elsewhere = tempfile::tempdir().unwrap();
            std::fs::rename(project.path().join(nested), elsewhere.path().join("moved")).unwrap();
            project.goes_back_and_forth();
        }
    }
}

#[test]
fn a_submodule_in_a_folder_of_the_good_commit_is_not_touched() {
    let project = Project::new();
    project.git(&["rm", "-r", "--quiet", "dir"]);
    project.nest("dir");
    project.git(&["add", "dir"]);
    project.commit("dir is a repository of its own now");
    project.break_build();
    project.refuses_to_go_back(&["dir is a git repository of its own"]);
}

#[test]
fn a_submodule_that_was_never_fetched_is_no_obstacle() {
    let project = Project::new();
    project.git(&["rm", "-r", "--quiet", "dir"]);
    project.nest("dir");
    project.git(&["add", "dir"]);
    project.commit("dir is a repository of its own now");
    std::fs::remove_dir_all(project.path().join("dir")).unwrap();
    std::fs::create_dir(project.path().join("dir")).unwrap();
    project.break_build();
    project.goes_back_and_forth();
}

#[test]
fn a_nested_repository_beside_the_files_of_the_good_commit_keeps_its_work() {
    let project = Project::new();
    project.nest("beside");
    project.nest("dir/inner");
    project.break_build();
    project.goes_back_and_forth();
}

#[test]
fn an_undo_does_not_overwrite_a_nested_repository() {
    let project = Project::new();
    project.write("new/f", "untracked\n");
    project.break_build();
    let out = project.recovery(&["rollback", "--task", "t", "--format", "json"], "");
    let done: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let name = done["backup"].as_str().unwrap().rsplit('/').next().unwrap();
    project.nest("new");
    project.refuses(&["rollback", "--undo", name], &["new is a git repository of its own", "new/f"]);
}

#[test]
fn a_head_that_moved_is_not_touched() {
    let project = Project::new();
    project.break_build();
    project.write("c.txt", "someone else's work\n");
    project.git(&["add", "c.txt"]);
    project.commit("meanwhile");
    project.refuses_to_go_back(&["HEAD moved"]);
}

#[test]
fn an_operation_under_way_is_not_touched_and_the_way_out_of_it_is_named() {
    let project = Project::new();
    project.break_build();
    for (mark, operation, way_out) in [
        ("MERGE_HEAD", "merge", "git merge --abort"),
        ("rebase-merge/", "rebase", "git rebase --abort"),
        ("rebase-apply/", "rebase", "git rebase --abort"),
        ("CHERRY_PICK_HEAD", "cherry-pick", "git cherry-pick --abort"),
        ("REVERT_HEAD", "revert", "git revert --abort"),
        ("BISECT_LOG", "bisect", "git bisect reset"),
    ] {
        let path = project.path().join(".git").join(mark);
        if mark.ends_with('/') {
            std::fs::create_dir(&path).unwrap();
        } else {
            std::fs::write(&path, project.git(&["rev-parse", "HEAD"])).unwrap();
        }
        let words = [&*format!("a {operation} is under way"), &*format!("({way_out})")];
        project.refuses_to_go_back(&words);
        project.refuses(&["rollback", "--undo", "any"], &words);
        if mark.ends_with('/') { std::fs::remove_dir(&path) } else { std::fs::remove_file(&path) }.unwrap();
    }
}

#[test]
fn a_good_commit_that_is_gone_is_said_to_be_gone() {
    let project = Project::new();
    project.break_build();
    let good = project.git(&["rev-parse", "HEAD~1"]);
    let (folder, file) = good.split_at(2);
    std::fs::remove_file(project.path().join(".git/objects").join(folder).join(file)).unwrap();
    project.refuses_to_go_back(&[&good]);
}

#[test]
fn a_dry_run_that_is_not_refused_touches_nothing() {
    let project = Project::new();
    project.write("untracked.txt", "not in git\n");
    project.break_build();
    let before = (project.everything(), project.git(&["for-each-ref"]));
    let out = project.recovery(&["rollback", "--task", "t", "--dry-run"], "");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(String::from_utf8_lossy(&out.stdout).contains(&project.git(&["rev-parse", "HEAD~1"])), "{out:?}");
    assert_eq!((project.everything(), project.git(&["for-each-ref"])), before);
}

#[test]
fn a_locked_index_is_not_taken_for_a_conflict() {
    let project = Project::new();
    project.break_build();
    project.write(".git/index.lock", "");
    project.refuses(&["rollback", "--task", "t"], &["the index cannot be read", "index.lock"]);
    let out = project.recovery(&["rollback", "--task", "t"], "");
    assert!(!String::from_utf8_lossy(&out.stderr).contains("unresolved conflicts"), "{out:?}");
}

#[test]
fn a_name_that_is_no_commit_is_all_the_message_is_about() {
    let project = Project::new();
    project.refuses(&["checkpoint", "nonexist"], &["\"nonexist\" is not a commit of this repository"]);
    project.refuses(&["rollback", "--undo", "nope"], &["no backup has that name; there are: none"]);
    for args in [&["checkpoint", "nonexist"][..], &["rollback", "--undo", "nope"]] {
        let said = String::from_utf8(project.recovery(args, "").stderr).unwrap();
        assert!(said.trim_end().ends_with("is not a commit of this repository"), "{said}");
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
    let out = recovery(
        &linked,
        &["decide", "--exit-code", "1", "--task", "t", "--format", "json", "--pack", "documented"],
        BROKEN,
    );
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

/// What a work tree can be like, each with what makes it so. In every one of them going back and undoing it must bring
/// back every byte.
#[test]
fn whatever_the_work_tree_is_like() {
    let failing = "[filter \"x\"]\n\tclean = false\n\tsmudge = false\n\trequired = true\n";
    type Situation = (&'static str, Box<dyn Fn(&Project)>);
    let situations: Vec<Situation> = vec![
        (
            "attributes in .git/info",
            Box::new(|p| {
                p.write(".git/info/attributes", "* text eol=lf ident\n");
                p.write("a.txt", "one\r\ntwo $Id$\r\n");
                p.write("new.txt", "$Id$\r\n");
            }),
        ),
        (
            "core.attributesFile",
            Box::new(|p| {
                p.write(".git/own-attributes", "* text=auto working-tree-encoding=UTF-16\n");
                p.git(&["config", "core.attributesFile", ".git/own-attributes"]);
                p.write("dir/b.txt", "crlf\r\n");
            }),
        ),
        (
            "autocrlf",
            Box::new(|p| {
                p.git(&["config", "core.autocrlf", "true"]);
                p.write("a.txt", "mixed\r\nends\n");
            }),
        ),
        (
            "autocrlf input and safecrlf",
            Box::new(|p| {
                p.git(&["config", "core.autocrlf", "input"]);
                p.git(&["config", "core.safecrlf", "true"]);
                p.write("a.txt", "mixed\r\nends\n");
            }),
        ),
        (
            "a required filter that fails",
            Box::new(move |p| {
                p.write("a.txt", "filtered\n");
                let config = std::fs::read_to_string(p.path().join(".git/config")).unwrap();
                std::fs::write(p.path().join(".git/config"), config + failing).unwrap();
                p.write(".git/info/attributes", "*.txt filter=x\n");
            }),
        ),
        (
            "skip-worktree",
            Box::new(|p| {
                p.git(&["update-index", "--skip-worktree", "dir/b.txt"]);
                p.write("dir/b.txt", "hidden change\n");
            }),
        ),
        (
            "skip-worktree and gone",
            Box::new(|p| {
                p.git(&["update-index", "--skip-worktree", "dir/b.txt"]);
                std::fs::remove_file(p.path().join("dir/b.txt")).unwrap();
            }),
        ),
        (
            "assume-unchanged",
            Box::new(|p| {
                p.git(&["update-index", "--assume-unchanged", "dir/b.txt"]);
                p.write("dir/b.txt", "unseen change\n");
            }),
        ),
        (
            "intent to add",
            Box::new(|p| {
                p.write("later.txt", "not added yet\n");
                p.git(&["add", "--intent-to-add", "later.txt"]);
            }),
        ),
        (
            "pathspec magic in names",
            Box::new(|p| {
                for name in [
                    ":(exclude)a", "*.txt", "[x]", ":!b", "sp ace", "ta\tb", "new\nline", "quo\"te", "back\\slash",
                    "-n",
                ] {
                    p.write(name, name);
                }
                p.write(".gitignore", "ignored*\n");
            }),
        ),
        (
            "ignored names with pathspec magic in the way",
            Box::new(|p| {
                p.write(".gitignore", "dir\n");
                p.git(&["rm", "--quiet", "--cached", "dir/b.txt"]);
                p.write("dir/b.txt", "ignored and in the way\n");
            }),
        ),
        (
            "empty directories",
            Box::new(|p| {
                std::fs::create_dir_all(p.path().join("empty/deep")).unwrap();
                std::fs::create_dir_all(p.path().join("dir/also-empty")).unwrap();
            }),
        ),
        (
            "an empty directory in a file's place",
            Box::new(|p| {
                std::fs::remove_file(p.path().join("a.txt")).unwrap();
                std::fs::create_dir(p.path().join("a.txt")).unwrap();
            }),
        ),
        (
            "a directory in a file's place",
            Box::new(|p| {
                std::fs::remove_file(p.path().join("a.txt")).unwrap();
                p.write("a.txt/inner/file", "in the way\n");
            }),
        ),
        (
            "a file in a directory's place",
            Box::new(|p| {
                std::fs::remove_dir_all(p.path().join("dir")).unwrap();
                p.write("dir", "in the way\n");
            }),
        ),
        (
            "a link in a directory's place",
            Box::new(|p| {
                std::fs::remove_dir_all(p.path().join("dir")).unwrap();
                p.write("elsewhere/b.txt", "must not be written through\n");
                symlink("elsewhere", p.path().join("dir")).unwrap();
            }),
        ),
        (
            "links",
            Box::new(|p| {
                symlink("nowhere", p.path().join("dangling")).unwrap();
                std::fs::remove_file(p.path().join("a.txt")).unwrap();
                symlink("dir/b.txt", p.path().join("a.txt")).unwrap();
            }),
        ),
        (
            "executable bits",
            Box::new(|p| {
                std::fs::set_permissions(p.path().join("a.txt"), std::fs::Permissions::from_mode(0o755)).unwrap();
                p.write("run.sh", "#!/bin/sh\n");
                std::fs::set_permissions(p.path().join("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
            }),
        ),
        (
            "no file mode",
            Box::new(|p| {
                p.git(&["config", "core.fileMode", "false"]);
                std::fs::set_permissions(p.path().join("a.txt"), std::fs::Permissions::from_mode(0o755)).unwrap();
            }),
        ),
        (
            "a conflict in the index",
            Box::new(|p| {
                p.write("a.txt", "stashed\n");
                p.git(&["stash", "--quiet"]);
                p.write("a.txt", "committed meanwhile\n");
                p.git(&["commit", "--quiet", "--all", "--message", "meanwhile"]);
                let _ = Command::new("git").current_dir(p.path()).args(["stash", "pop"]).output().unwrap();
            }),
        ),
        (
            "everything removed from the index",
            Box::new(|p| {
                p.git(&["rm", "-r", "--quiet", "--cached", "."]);
            }),
        ),
        (
            "everything removed",
            Box::new(|p| {
                p.git(&["rm", "-r", "--quiet", "."]);
            }),
        ),
        (
            "a split index",
            Box::new(|p| {
                p.git(&["update-index", "--split-index"]);
                p.write("a.txt", "staged\n");
                p.git(&["add", "a.txt"]);
            }),
        ),
        (
            "index version 4",
            Box::new(|p| {
                p.git(&["update-index", "--index-version", "4"]);
                p.write("a.txt", "changed\n");
            }),
        ),
        (
            "a sparse checkout",
            Box::new(|p| {
                p.git(&["sparse-checkout", "set", "--no-cone", "/a.txt"]);
            }),
        ),
        (
            "bytes of every kind",
            Box::new(|p| {
                let all: Vec<u8> = (0..=255).cycle().take(100_000).collect();
                p.write("bytes", &all);
                p.write("a.txt", &all);
                p.write("empty", "");
            }),
        ),
        (
            "names that are no UTF-8",
            Box::new(|p| {
                use std::os::unix::ffi::OsStrExt as _;
                let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
                std::fs::write(p.path().join(name), "latin 1\n").unwrap();
            }),
        ),
    ];
    // Each alone, then pairs of them that go together, as many as `RECOVERY_SITUATIONS` says.
    let number = std::env::var("RECOVERY_SITUATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(situations.len());
    let apart: Vec<_> = situations.iter().filter(|(name, _)| GO_TOGETHER.contains(name)).collect();
    let pairs = apart
        .iter()
        .flat_map(|first| apart.iter().filter(move |second| first.0 < second.0).map(move |second| (first, second)));
    let mut tried = 0;
    for (name, make) in situations.iter().take(number) {
        eprintln!("{name}");
        let project = Project::new();
        make(&project);
        project.break_build();
        project.goes_back_and_forth();
        tried += 1;
    }
    for (first, second) in pairs.take(number.saturating_sub(situations.len())) {
        eprintln!("{} and {}", first.0, second.0);
        let project = Project::new();
        first.1(&project);
        second.1(&project);
        project.break_build();
        project.goes_back_and_forth();
        tried += 1;
    }
    println!("attack: tried {tried}, lost 0");
}

/// Situations of [`whatever_the_work_tree_is_like`] that do not need the same file to be different things.
const GO_TOGETHER: [&str; 14] = [
    "attributes in .git/info",
    "core.attributesFile",
    "autocrlf",
    "skip-worktree",
    "assume-unchanged",
    "intent to add",
    "pathspec magic in names",
    "empty directories",
    "executable bits",
    "no file mode",
    "index version 4",
    "a split index",
    "bytes of every kind",
    "names that are no UTF-8",
];

#[test]
fn reftables() {
    let project = Project::with(&["--ref-format=reftable"]);
    project.write("a.txt", "changed\n");
    project.break_build();
    project.goes_back_and_forth();
}

/// Every way in which a repository can name a program that git would run.
#[test]
fn no_program_of_the_repositorys_runs() {
    let project = Project::new();
    let ran = project.path().join(".git/ran");
    let script = format!("#!/bin/sh\necho \"$0\" >> '{}'\ncat\n", ran.display());
    project.write(".git/program", &script);
    let executable = || std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.path().join(".git/program"), executable()).unwrap();
    let program = project.path().join(".git/program");
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "post-commit", "pre-commit", "update"] {
        std::fs::copy(&program, project.path().join(".git/hooks").join(hook)).unwrap();
    }
    let program = program.to_str().unwrap().to_owned();
    for (key, value) in [
        ("filter.f.clean", program.as_str()),
        ("filter.f.smudge", program.as_str()),
        ("filter.g.process", program.as_str()),
        ("diff.d.textconv", program.as_str()),
        ("diff.external", program.as_str()),
        ("core.fsmonitor", program.as_str()),
        ("core.pager", program.as_str()),
        ("gpg.program", program.as_str()),
        ("log.showSignature", "true"),
        ("core.hooksPath", ".git/hooks"),
    ] {
        let config = project.path().join(".git/config");
        let done = Command::new("git").args(["config", "-f", config.to_str().unwrap(), key, value]).status().unwrap();
        assert!(done.success());
    }
    project.write(".git/info/attributes", "a.txt filter=f diff=d\n*.g filter=g\n");
    project.write("x.g", "through a filter\n");
    project.write("a.txt", "changed\n");
    let head = project.path().join(".git/HEAD");
    let before = (std::fs::read(head).unwrap(), project.read("a.txt"));
    let _ = std::fs::remove_file(&ran);
    project.break_build();
    for args in [&["checkpoint", "HEAD~1", "--task", "other"][..], &["rollback", "--list"]] {
        assert!(project.recovery(args, "").status.success());
    }
    let out = project.recovery(&["rollback", "--task", "t", "--format", "json"], "");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(project.read("a.txt"), "good\n");
    let done: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let name = done["backup"].as_str().unwrap().rsplit('/').next().unwrap();
    let listed = project.recovery(&["rollback", "--list", "--format", "json"], "").stdout;
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&listed).unwrap(), serde_json::json!({"backup": name}));
    assert!(project.recovery(&["rollback", "--undo", name], "").status.success());
    assert_eq!((std::fs::read(project.path().join(".git/HEAD")).unwrap(), project.read("a.txt")), before);
    assert!(!ran.exists(), "{}", std::fs::read_to_string(&ran).unwrap());
}

/// A submodule has settings of its own, which what is switched off above it does not reach.
#[test]
fn no_program_of_a_submodules_runs() {
    let project = Project::new();
    project.nest("sub");
    project.git(&["add", "sub"]);
    project.commit("with a submodule");
    project.write("sub/f", "changed, and as long as it was in the commit\n");
    let ran = project.path().join(".git/ran");
    let program = format!("touch '{}'; cat", ran.display());
    project.write("sub/.git/info/attributes", "* filter=f\n");
    git(&project.path().join("sub"), &["config", "filter.f.clean", &program]);
    let marked = |when: &str| assert!(!ran.exists(), "{when}");
    project.break_build();
    marked("decide");
    let out = project.recovery(&["rollback", "--task", "t", "--format", "json"], "");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    marked("rollback");
    let done: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let name = done["backup"].as_str().unwrap().rsplit('/').next().unwrap();
    assert!(project.recovery(&["rollback", "--undo", name], "").status.success());
    marked("undo");
    let exhausted = "echo 'Error: prompt is too long: 210000 tokens > 200000 maximum' >&2; exit 1";
    let args = ["run", "--task", "h", "--handoff", "--fallback", "false", "--", "sh", "-c", exhausted];
    let said = project.recovery(&args, "").stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("progress is committed on recovery/handoff/h-"), "{said}");
    marked("handoff");
}

/// What only the user may read comes back like that, and is never readable in between.
#[test]
fn permissions_come_back() {
    let project = Project::new();
    project.write("private", "for me alone\n");
    project.git(&["add", "private"]);
    project.write("a.txt", "changed\n");
    for (name, mode) in [("private", 0o600), ("a.txt", 0o440)] {
        std::fs::set_permissions(project.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    project.break_build();
    project.goes_back_and_forth();
    let mode = |name: &str| project.path().join(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("private"), mode("a.txt")), (0o600, 0o440));
}

/// A pipe has no bytes that could be saved.
#[test]
fn a_pipe_in_the_place_of_a_file_is_not_touched() {
    let project = Project::new();
    project.break_build();
    let pipe = project.path().join("dir/b.txt");
    std::fs::remove_file(&pipe).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let out = project.recovery(&["rollback", "--task", "t"], "");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.code() == Some(2) && said.contains("b.txt is a pipe, a socket or a device"), "{said}");
    assert_eq!(project.read("a.txt"), "bad\n");
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(&pipe.symlink_metadata().unwrap().file_type()));
}

/// Settings that the user gives git in the environment hold for the git that we run.
#[test]
fn gits_own_environment_is_kept() {
    let project = Project::new();
    project.write("scratch", "ignored by the environment's settings\n");
    project.write(".git/own-excludes", "scratch\n");
    project.break_build();
    let out = Command::new(env!("CARGO_BIN_EXE_recovery"))
        .current_dir(project.path())
        .args(["rollback", "--task", "t", "--format", "json"])
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.excludesFile")
        .env("GIT_CONFIG_VALUE_0", project.path().join(".git/own-excludes"))
        .output()
        .unwrap();
    let done: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let saved = project.git(&["ls-tree", "--name-only", done["backup"].as_str().unwrap()]);
    assert_eq!(saved, "a.txt\ndir");
}

/// Two at once: one goes back, the other is refused or does nothing, and the work can be had back. `RECOVERY_PAIRS` says
/// how many pairs.
#[test]
fn rollbacks_at_once_lose_nothing() {
    let pairs = std::env::var("RECOVERY_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    for pair in 0..pairs {
        let project = Project::new();
        for file in 0..30 {
            project.write(&format!("work/{file}.txt"), format!("precious {file}\n"));
        }
        project.write("a.txt", "precious\n");
        project.break_build();
        let before = project.everything();
        let racers: Vec<_> = (0..2 + pair % 2)
            .map(|_| {
                Command::new(env!("CARGO_BIN_EXE_recovery"))
                    .current_dir(project.path())
                    .args(["rollback", "--task", "t", "--format", "json"])
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let ends: Vec<Output> = racers.into_iter().map(|racer| racer.wait_with_output().unwrap()).collect();
        let worked: Vec<&Output> = ends.iter().filter(|end| end.status.success()).collect();
        assert_eq!(worked.len(), 1, "{ends:?}");
        assert_eq!(project.read("a.txt"), "good\n");
        let done: serde_json::Value = serde_json::from_slice(&worked[0].stdout).unwrap();
        let name = done["backup"].as_str().unwrap().rsplit('/').next().unwrap();
        let undone = project.recovery(&["rollback", "--undo", name], "");
        assert!(undone.status.success(), "{}", String::from_utf8_lossy(&undone.stderr));
        assert_eq!(project.everything(), before);
    }
    println!("attack: tried {pairs}, lost 0");
}

/// What cannot be recorded is not done; where the work is saved is reported.
#[test]
fn a_rollback_that_cannot_be_recorded_touches_nothing() {
    use recovery_store::{DEFAULT_WAIT, Journal as _, SqliteJournal, TaskId};
    let project = Project::new();
    project.write("a.txt", "work\n");
    project.break_build();
    let before = project.everything();
    let mut journal = SqliteJournal::open_in(&project.path().join(".recovery"), DEFAULT_WAIT).unwrap();
    let mut out = None;
    let held = journal.transaction(&TaskId::new("other").unwrap(), &mut |_| {
        out = Some(project.recovery(&["rollback", "--task", "t"], ""));
        Ok(())
    });
    held.unwrap();
    let out = out.unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("nothing was touched") && said.contains("refs/recovery/backup/t-"), "{said}");
    assert_eq!(project.everything(), before);
    // Nobody holds the journal now: the same rollback works.
    project.goes_back_and_forth();
}

/// Killed at any moment, the work is in the work tree or in the backup. `RECOVERY_KILLS` sets how often.
#[test]
fn a_killed_rollback_loses_nothing() {
    let kills = std::env::var("RECOVERY_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    for kill in 0..kills {
        let project = Project::new();
        for file in 0..20 {
            project.write(&format!("work/{file}.txt"), format!("precious {file}\n"));
        }
        project.write("a.txt", "precious\n");
        project.break_build();
        let before = project.everything();
        let mut child = Command::new(env!("CARGO_BIN_EXE_recovery"))
            .current_dir(project.path())
            .args(["rollback", "--task", "t"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis((kill * 37) % 400));
        let _ = child.kill();
        child.wait().unwrap();
        let _ = std::fs::remove_file(project.path().join(".git/index.lock"));
        if project.everything() == before {
            continue;
        }
        let listed = String::from_utf8(project.recovery(&["rollback", "--list"], "").stdout).unwrap();
        let name = listed.lines().last().expect("something was touched before anything was saved");
        let undone = project.recovery(&["rollback", "--undo", name], "");
        assert!(undone.status.success(), "{kill}: {}", String::from_utf8_lossy(&undone.stderr));
        assert_eq!(project.everything(), before, "{kill}");
    }
    println!("attack: tried {kills}, lost 0");
}
