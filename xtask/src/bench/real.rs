//! Whole commands on real logs: `recovery scan` and `recovery problems` against `rg` with ten common words.
//!
//! Green and red logs apart, in three sizes: the last 4 KiB of each log, files of up to 1 MiB, and 48 MiB of such files. Long
//! logs are cut into files of 1 MiB, because most of a longer one is only skimmed.

use super::{best_of, quietly, ratio};
use anyhow::ensure;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROUNDS: usize = 5;
const TAIL_BYTES: usize = 4 << 10;
const FILE_BYTES: usize = 1 << 20;
const LARGE_BYTES: usize = 48 << 20;
/// What people search logs for.
const WORDS: [&str; 10] =
    ["error", "failed", "failure", "fatal", "exception", "panic", "not found", "timeout", "refused", "denied"];

pub(super) fn run(recovery: &Path, scratch: &Path, logs: &Path, page: &mut String) -> anyhow::Result<()> {
    ensure!(logs.join("green").is_dir(), "there are no real logs; `cargo xtask bench --logs` makes them");
    say!(
        page,
        "\n## Real logs\n\nOutputs of cargo, npm, pip, Maven, make, gcc, Go, apt and others, green and red. One core each; how many times as fast"
    );
    say!(
        page,
        "as `rg -i -c -F` with ten common words (the aim: 1x on green logs, 0.5x on red ones), and MB/s of ours:\n"
    );
    say!(
        page,
        "| logs | size | `recovery scan` | `recovery scan --pack documented` | `recovery problems` |\n|---|---:|---:|---:|---:|"
    );
    for kind in ["green", "red"] {
        let texts = texts(&logs.join(kind))?;
        let tails: Vec<&[u8]> = texts.iter().map(|text| &text[text.len().saturating_sub(TAIL_BYTES)..]).collect();
        let files: Vec<&[u8]> = texts.iter().flat_map(|text| text.chunks(FILE_BYTES)).collect();
        let bytes: usize = files.iter().map(|file| file.len()).sum();
        let many: Vec<&[u8]> =
            files.iter().copied().cycle().take(files.len() * LARGE_BYTES.div_ceil(bytes.max(1))).collect();
        for (name, files) in [("4 KiB tails", tails), ("up to 1 MiB", files), ("48 MiB", many)] {
            let dir = scratch.join(format!("real-{kind}-{}", name.replace(' ', "-")));
            let (paths, bytes) = write(&dir, &files)?;
            let rg = || {
                let mut rg = Command::new("rg");
                rg.args(["-i", "-c", "-a", "-F", "-j", "1"])
                    .args(WORDS.iter().flat_map(|word| ["-e", *word]))
                    .arg(&dir);
                // It exits with 1 where nothing was found.
                rg.output().map(drop).map_err(anyhow::Error::from)
            };
            let scan = |pack: &'static str| {
                let dir = dir.clone();
                move || {
                    quietly(Command::new(recovery).args(["scan", "--ndjson", "--jobs", "1", "--pack", pack]).arg(&dir))
                }
            };
            let problems = || {
                paths.iter().take(PROBLEM_FILES).try_for_each(|path| {
                    Command::new(recovery).arg("problems").arg(path).output().map(drop).map_err(anyhow::Error::from)
                })
            };
            let (field, documented) = (scan("field"), scan("documented"));
            let times = best_of(ROUNDS, &[&rg, &field, &documented])?;
            let problem_bytes: usize = files.iter().take(PROBLEM_FILES).map(|file| file.len()).sum();
            let problem_time = best_of(1, &[&problems])?[0];
            let speed = |bytes: usize, time: std::time::Duration| bytes as f64 / 1e6 / time.as_secs_f64();
            say!(
                page,
                "| {kind}, {name} | {:.1} MB | {:.2}x, {:.0} MB/s | {:.2}x, {:.0} MB/s | {:.0} MB/s |",
                bytes as f64 / 1e6,
                ratio(times[0], times[1]),
                speed(bytes, times[1]),
                ratio(times[0], times[2]),
                speed(bytes, times[2]),
                speed(problem_bytes, problem_time),
            );
        }
    }
    say!(page, "\n`recovery problems` is started once per file, for the first {PROBLEM_FILES} files.");
    Ok(())
}

/// `recovery problems` takes one log at a time, so a few are enough.
const PROBLEM_FILES: usize = 40;

fn texts(dir: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    let texts = paths.iter().map(std::fs::read).collect::<std::io::Result<Vec<_>>>()?;
    Ok(texts.into_iter().filter(|text| !text.is_empty()).collect())
}

/// Writes the files into a new directory; their paths and their size in all.
fn write(dir: &Path, files: &[&[u8]]) -> anyhow::Result<(Vec<PathBuf>, usize)> {
    let _ = std::fs::remove_dir_all(dir);
    std::fs::create_dir_all(dir)?;
    let mut paths = Vec::new();
    for (number, file) in files.iter().enumerate() {
        paths.push(dir.join(format!("{number:05}.log")));
        std::fs::write(&paths[number], file)?;
    }
    Ok((paths, files.iter().map(|file| file.len()).sum()))
}
