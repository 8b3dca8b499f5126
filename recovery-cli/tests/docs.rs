//! The book: every link in the documents leads somewhere, every page in the summary exists, and no page of the book links
//! out of it except by the repository's address, which would be broken in the built book.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where the repository is published; a link to a file there is checked against this checkout.
const FILES: &str = "https://github.com/recovery-engine/recovery/blob/main/";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The text without fenced blocks and code spans, in which brackets are no links.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let spans = line.split('`').enumerate();
            prose.extend(spans.map(|(number, part)| if number % 2 == 0 { part } else { "code" }));
        }
        prose.push('\n');
    }
    prose
}

/// The targets of `[text](target)`, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (number, line) in prose(text).lines().enumerate() {
        for part in line.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                links.push((number + 1, target.to_owned()));
            }
        }
    }
    links
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut anchors = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        let Some(title) = line.strip_prefix('#').filter(|_| !is_code) else { continue };
        let title = title.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let count = seen.entry(anchor.clone()).or_default();
        anchors.push(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

/// What is wrong with a link from `page`.
fn fault(page: &Path, target: &str) -> Option<String> {
    let (target, base) = match target.strip_prefix(FILES) {
        Some(file) => (file, root()),
        None if target.contains("://") || target.starts_with("mailto:") => return None,
        None => (target, page.parent().unwrap().to_owned()),
    };
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let path = if file.is_empty() { page.to_owned() } else { base.join(file) };
    if !path.exists() {
        return Some(format!("{target} does not exist"));
    }
    let docs = root().join("docs").canonicalize().unwrap();
    let is_in = |path: &Path| path.canonicalize().unwrap().starts_with(&docs);
    if is_in(page) && !is_in(&path) && base != root() {
        return Some(format!("{target} leaves the book; write {FILES}..."));
    }
    let anchor = anchor?;
    let known = anchors(&std::fs::read_to_string(&path).unwrap());
    (!known.contains(&anchor.to_owned())).then(|| format!("{target}: there is no heading #{anchor} among {known:?}"))
}

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = Vec::new();
    for dir in ["", "docs", "bindings/python"] {
        for entry in std::fs::read_dir(root().join(dir)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn every_link_leads_somewhere() {
    let mut faults = Vec::new();
    for page in pages() {
        for (line, target) in links(&std::fs::read_to_string(&page).unwrap()) {
            faults.extend(fault(&page, &target).map(|fault| format!("{}:{line}: {fault}", page.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn faults_are_found() {
    let page = root().join("docs/SUMMARY.md");
    assert_eq!(fault(&page, "run.md"), None);
    assert_eq!(fault(&page, "run.md#exit-codes"), None);
    assert_eq!(fault(&page, "https://example.org/nowhere"), None);
    assert_eq!(fault(&page, &format!("{FILES}ARCHITECTURE.md#glossary")), None);
    for broken in ["no-such-page.md", "run.md#no-such-heading", "../README.md", &format!("{FILES}NOTHING.md")] {
        assert!(fault(&page, broken).is_some(), "{broken}");
    }
    assert_eq!(links("a [b](c.md) `[d](e.md)`\n```\n[f](g.md)\n```\n"), [(1, "c.md".to_owned())]);
}

/// A page of the book that is linked from another page is in the summary: mdBook builds no other.
#[test]
fn linked_pages_are_in_the_summary() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: Vec<String> = links(&summary).into_iter().map(|(_, target)| target).collect();
    let mut missing = Vec::new();
    for name in &listed {
        for (line, target) in links(&std::fs::read_to_string(docs.join(name)).unwrap()) {
            let file = target.split('#').next().unwrap_or_default();
            if file.ends_with(".md") && !file.contains('/') && !listed.iter().any(|listed| listed == file) {
                missing.push(format!("docs/{name}:{line}: {file} is not in docs/SUMMARY.md"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// A part of a page that a command writes is written: `<!-- NAME: COMMAND -->` to `<!-- end of NAME -->`.
#[test]
fn generated_parts_are_filled() {
    let mut parts = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for (start, _) in text.match_indices("<!-- ").filter(|(start, _)| !text[*start..].starts_with("<!-- end of ")) {
            let Some((mark, rest)) = text[start + 5..].split_once(" -->\n") else { continue };
            let Some((name, _)) = mark.split_once(": ") else { continue };
            let (part, _) =
                rest.split_once(&format!("<!-- end of {name} -->")).unwrap_or_else(|| panic!("{name} has no end"));
            assert!(part.contains("| ") || part.contains("- "), "{}: {mark} was never run", page.display());
            parts += 1;
        }
    }
    assert!(parts >= 5, "{parts}");
}

/// Nothing builds the image here; what it copies is at least there.
#[test]
fn the_container_copies_what_exists() {
    let ignored = std::fs::read_to_string(root().join(".dockerignore")).unwrap();
    assert!(ignored.lines().any(|line| line == "**/target"), "gigabytes of builds would be copied");
    let text = std::fs::read_to_string(root().join("packaging/Dockerfile")).unwrap();
    let mut copied = 0;
    for line in text.lines().filter(|line| line.starts_with("COPY ") && !line.contains("--from=")) {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        for source in &words[..words.len() - 1] {
            assert!(root().join(source).exists(), "{line}: there is no {source}");
            copied += 1;
        }
    }
    assert!(copied >= 3, "{copied}");
    assert!(text.contains("COPY --from=build /recovery /recovery") && text.contains("target/dist/recovery /recovery"));
}
