//! The scan, side by side with what anyone would use instead. Each case checks its answer, so that a fast wrong scan fails.

mod cases;
mod contenders;

use contenders::Contender;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use failure_taxonomy::scan::Scanner;
use failure_taxonomy::{PackName, Taxonomy};
use std::hint::black_box;

fn search(c: &mut Criterion) {
    for case in cases::all(1 << 20) {
        let mut group = c.benchmark_group(case.name);
        group.throughput(Throughput::Bytes(case.text.len() as u64)).sample_size(10);
        for contender in Contender::all(case.pack) {
            group.bench_function(contender.name(), |b| b.iter(|| contender.search(black_box(&case.text), case.hits)));
        }
        group.finish();
    }
}

/// What a process pays before its first answer.
fn start(c: &mut Criterion) {
    let mut group = c.benchmark_group("start");
    let documented = PackName::Documented.literals();
    group.bench_function("scanner of as many user rows", |b| b.iter(|| Scanner::new(black_box(documented))));
    group.bench_function("taxonomy of the documented pack", |b| b.iter(Taxonomy::documented));
    group.bench_function("taxonomy of the field pack", |b| b.iter(Taxonomy::field));
    group.finish();
}

criterion_group!(benches, search, start);
criterion_main!(benches);
