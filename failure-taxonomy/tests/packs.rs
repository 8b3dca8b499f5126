//! Mistakes in a pack end the build with the file and the line.

#![allow(clippy::disallowed_methods, reason = "packs are files")]

#[path = "../build/main.rs"]
#[allow(dead_code, reason = "its main runs when the crate is built")]
mod build;

/// What the build reports about a pack file.
fn mistake(text: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.toml");
    std::fs::write(&file, text).unwrap();
    match build::pack("MINE", &[file]) {
        Ok(_) => String::new(),
        Err(mistake) => mistake.to_string(),
    }
}

#[test]
fn a_mistake_is_reported_with_file_and_line() {
    let good = "[[indicator]]\nid = 'a.b'\ntext = 'lease held'\nerror_type = 'lock_contention'\nhits = 'lease held'\n";
    assert_eq!(mistake(good), "");
    for (wrong, line, reason) in [
        (good.replace("lock_contention", "lock_contest"), 6, "no error type \"lock_contest\""),
        (good.replace("lease held'\nerror", "Lease held'\nerror"), 6, "lower case"),
        (good.replace("lease held'\nerror", "is'\nerror"), 6, "three bytes"),
        (good.replace("hits = 'lease held'\n", ""), 6, "`hits`"),
        (format!("{good}word = true\n"), 6, "needs `misses`"),
        (format!("{good}misses = 'lease held'\n"), 6, "needs no `misses`"),
        (format!("{good}word = true\nmisses = 'lease'\n"), 6, "must contain the text"),
        (format!("{good}pattern = 'a(b'\nmisses = 'lease held'\n"), 6, "no regular expression"),
        (format!("{good}pattern = 'a(?&b)'\n"), 6, "no fragment \"b\""),
        (good.to_owned(), 6, "taken by"),
    ] {
        let wrong = format!("{good}{}", wrong.replace("a.b", if reason == "taken by" { "a.b" } else { "a.c" }));
        let mistake = mistake(&wrong);
        assert!(mistake.contains(&format!("mine.toml:{line}: ")) && mistake.contains(reason), "{mistake}");
    }
    for (wrong, line) in
        [(format!("{good}colour = 1\n"), 6), (format!("{good}text = \n"), 6), (format!("\n{good}word = 1\n"), 7)]
    {
        let mistake = mistake(&wrong);
        assert!(mistake.contains("mine.toml: ") && mistake.contains(&format!("line {line}")), "{mistake}");
    }
}

#[test]
fn fragments_and_alternatives_become_one_pattern() {
    let text = "[fragment]\nlease = ['lease', 'lock']\nheld = '(?:held|taken)'\n[[indicator]]\nid = 'a.b'\ntext = 'held'\n\
        error_type = 'lock_contention'\npattern = ['^(?&lease) (?&held)', '!$']\nhits = 'lock held'\nmisses = 'held'\n";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.toml");
    std::fs::write(&file, text).unwrap();
    let tables = build::pack("MINE", &[file]).unwrap();
    assert!(tables.contains(r#"pattern: Some("^(?:lease|lock) (?:held|taken)|!$")"#), "{tables}");
}
