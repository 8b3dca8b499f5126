//! Scores a pack on labelled failures: `cargo run --example score -- corpus.jsonl [field|documented] [wrong] [repo-filter]`.
use failure_taxonomy::{Failure, PackName, Taxonomy};
use std::collections::BTreeMap;

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    repo: String,
    text: String,
    tool: Option<String>,
    exit_code: Option<i64>,
    taxonomy: Option<String>,
    fclass: Option<String>,
    entry_level: Option<u8>,
    error_type: Option<String>,
    #[serde(default)]
    benign: bool,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&args[0]).unwrap();
    let pack: PackName = args.get(1).map_or("field", |s| s).parse().unwrap();
    let show = args.get(2).is_some_and(|s| s == "wrong");
    let repos: Vec<&str> = args.get(3).map(|s| s.split(',').collect()).unwrap_or_default();
    let exclude = args.get(4).is_some();
    let taxonomy = Taxonomy::builder(pack).build().unwrap();
    let cases: Vec<Case> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let (mut n, mut et, mut ft, mut fc, mut fcn, mut el, mut eln) = (0, 0, 0, 0, 0, 0, 0);
    let (mut ben, mut ben_hidden, mut ben_one) = (0, 0, 0);
    let mut confusion: BTreeMap<(String, String), usize> = BTreeMap::new();
    for c in &cases {
        if !repos.is_empty() && repos.iter().any(|r| c.repo.starts_with(r)) == exclude {
            continue;
        }
        let failure =
            Failure { text: c.text.as_bytes(), exit_code: c.exit_code, tool: c.tool.as_deref(), ..Failure::default() };
        if c.benign {
            ben += 1;
            let d = taxonomy.diagnose(&Failure { exit_code: Some(1), ..failure });
            let hidden = taxonomy.reads_as_failure(c.text.as_bytes(), c.tool.as_deref());
            let one = d.failure_type.name() != "UNKNOWN" || d.error_type.name() != "other";
            ben_hidden += usize::from(hidden);
            ben_one += usize::from(one);
            if show && (hidden || one) {
                println!(
                    "BENIGN {} {} hidden={hidden} one={one} {} {:?}",
                    c.id,
                    c.repo,
                    d.error_type,
                    d.indicators.iter().map(|h| (&h.id, h.line)).collect::<Vec<_>>()
                );
            }
            continue;
        }
        let d = taxonomy.diagnose(&failure);
        n += 1;
        let want = c.error_type.clone().unwrap_or_default();
        let got = d.error_type.name().to_owned();
        et += usize::from(want == got);
        let wt = c.taxonomy.clone().unwrap_or_default();
        let gt = d.failure_type.name().to_owned();
        ft += usize::from(wt == gt);
        *confusion.entry((wt.clone(), gt.clone())).or_default() += 1;
        let mut note = String::new();
        if let Some(f) = &c.fclass {
            fcn += 1;
            let ok = *f == format!("{:?}", d.error_type.class());
            fc += usize::from(ok);
            if !ok {
                note += " FCLASS";
            }
        }
        if let Some(l) = c.entry_level {
            eln += 1;
            let ok = l == d.entry_level.number();
            el += usize::from(ok);
            if !ok {
                note += " LEVEL";
            }
        }
        if wt != gt {
            note += " TYPE";
        }
        if show && (want != got) {
            println!(
                "{} {} want {want} got {got}{note} {:?}",
                c.id,
                c.repo,
                d.indicators.iter().map(|h| (&h.id, h.line)).collect::<Vec<_>>()
            );
        }
    }
    let mut f1s = Vec::new();
    for t in ["BROKEN_BUILD", "VERIFICATION_FAILED", "CONTEXT_EXHAUSTED", "UNKNOWN"] {
        let tp = *confusion.get(&(t.into(), t.into())).unwrap_or(&0) as f64;
        let fp: usize = confusion.iter().filter(|((w, g), _)| g == t && w != t).map(|(_, n)| n).sum();
        let fnn: usize = confusion.iter().filter(|((w, g), _)| w == t && g != t).map(|(_, n)| n).sum();
        if tp + fnn as f64 > 0.0 {
            f1s.push(2.0 * tp / (2.0 * tp + fp as f64 + fnn as f64));
        }
        println!("{t}: tp {tp} fp {fp} fn {fnn}");
    }
    println!(
        "n={n} macroF1={:.4} ft={:.4} et={:.4} fclass={:.4} level={:.4} benign={ben} hidden={ben_hidden} exit1={ben_one}",
        f1s.iter().sum::<f64>() / f1s.len().max(1) as f64,
        ft as f64 / n as f64,
        et as f64 / n as f64,
        fc as f64 / fcn as f64,
        el as f64 / eln as f64
    );
}
