//! What the fuzz targets `settings`, `install` and `simulate` check, on the committed seeds and mutations of them, without a fuzzer.

use recovery_project::ProjectSettings;
use std::path::Path;

/// Settings of any text are accepted, or refused with a message.
fn settings(text: &str) {
    for name in ["recovery.toml", "config.json"] {
        if let Ok(settings) = ProjectSettings::parse(Path::new(name), text.to_owned()) {
            let _ = settings.engine(None);
            let _ = (settings.needs_consent(), settings.settings_needing_consent(), settings.ensure_may_run());
        }
    }
}

/// Xorshift: the same mutations in every run.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

/// The committed seeds and mutations of them, without a fuzzer; `RECOVERY_MUTATIONS` sets how many of each, and
/// `RECOVERY_FUZZED` names the only target.
#[test]
fn mutated_seeds_are_survived() {
    let number = std::env::var("RECOVERY_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(60_u32);
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    let mut random = 0x9e37_79b9_7f4a_7c15;
    // Settings are compiled into an engine each time, which takes a while.
    let install: fn(&str) = recovery_install::assert_round_trip;
    let simulate: fn(&str) = recovery_service::script::assert_playable;
    let targets =
        [("install", install, number), ("settings", settings, number.div_ceil(20)), ("simulate", simulate, number)];
    let only = std::env::var("RECOVERY_FUZZED").ok();
    let mut targets = Vec::from(targets);
    targets.retain(|(name, ..)| only.as_ref().is_none_or(|only| only == name));
    assert!(!targets.is_empty(), "no target is called {only:?}");
    for (name, target, number) in targets {
        let mut tried = 0;
        for seed in std::fs::read_dir(seeds.join(name)).unwrap() {
            let seed = std::fs::read_to_string(seed.unwrap().path()).unwrap();
            target(&seed);
            for _ in 0..number {
                let mut text: Vec<char> = seed.chars().collect();
                for _ in 0..1 + next(&mut random) % 4 {
                    let at = next(&mut random) % (text.len() + 1);
                    let piece: Vec<char> =
                        ["\"", "{", "}", "[", "]", ",", ":", "//", "/*", "\\", "\r\n", "0", "\u{2028}"]
                            [next(&mut random) % 13]
                            .chars()
                            .collect();
                    let end = (at + next(&mut random) % 6).min(text.len());
                    match next(&mut random) % 3 {
                        0 => drop(text.splice(at..at, piece)),
                        1 => drop(text.splice(at..end, piece)),
                        _ => drop(text.splice(at..at, text[at..end].to_vec())),
                    }
                }
                target(&text.into_iter().collect::<String>());
                tried += 1;
            }
        }
        assert!(tried > 0, "{name} has no seeds");
    }
}
