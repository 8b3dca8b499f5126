//! Exports: their shape, and that no change to one goes unnoticed.

use proptest::prelude::*;
use recovery_store::export::{export, import, verify_export};
use recovery_store::{
    ContentId, FaultKind, Journal, JournalExt as _, MemoryJournal, NewRecord, RecordKind, StoreError, TaskId,
    Verification,
};
use recovery_types::Timestamp;

#[test]
fn shape() {
    insta::assert_snapshot!(exported(&small()));
}

#[test]
fn one_task_alone_is_an_export_too() {
    let journal = small();
    let mut out = Vec::new();
    export(&journal, Some(&task("TASK-1")), &mut out).unwrap();
    let found = verify_export(&mut out.as_slice()).unwrap();
    assert!(found.is_sound());
    assert_eq!((found.records, found.tasks), (3, 1));
}

#[test]
fn a_flipped_byte_anywhere_is_reported_with_its_place() {
    let text = exported(&small()).into_bytes();
    let mut line = 1;
    for at in 0..text.len() {
        for flip in [0x01, 0x02, 0x20, 0x80, 0xff] {
            let mut changed = text.clone();
            changed[at] ^= flip;
            let found = verify_export(&mut changed.as_slice()).unwrap();
            let first = found.faults.first().unwrap_or_else(|| panic!("byte {at} ^ {flip:#x} went unnoticed"));
            assert_eq!(first.line, Some(line), "byte {at} ^ {flip:#x}: {first}");
            if flip != 0x01 {
                continue;
            }
            let error = import(&mut MemoryJournal::default(), &mut changed.as_slice()).unwrap_err();
            assert!(matches!(error, StoreError::Import { line: l, .. } if l == line), "byte {at}: {error}");
        }
        line += u64::from(text[at] == b'\n');
    }
}

#[test]
fn the_task_and_number_of_a_changed_record_are_named() {
    let text = exported(&small()).replace("\"exit_code\":2", "\"exit_code\":3");
    let found = verify_export(&mut text.as_bytes()).unwrap();
    let [fault] = &found.faults[..] else { panic!("{found:?}") };
    assert_eq!((fault.line, fault.seq, &fault.kind), (Some(3), Some(2), &FaultKind::WrongHash));
    assert_eq!(fault.task, Some(task("TASK-1")));
    assert_eq!(
        fault.to_string(),
        "line 3: record 2 of task TASK-1: its content does not have its hash; it was changed"
    );
}

#[test]
fn lines_lost_doubled_or_swapped_are_noticed() {
    let text = exported(&small());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let check = |lines: Vec<&str>| verify_export(&mut lines.concat().as_bytes()).unwrap();
    let sequence = |found: &Verification, line, expected| {
        matches!(&found.faults[..], [fault] if fault.line == Some(line)
            && fault.kind == FaultKind::OutOfSequence { expected })
    };
    let without = check([&lines[..2], &lines[3..]].concat());
    assert!(sequence(&without, 3, 2), "{without:?}");
    let doubled = check([&lines[..3], &lines[2..]].concat());
    assert!(sequence(&doubled, 4, 3), "{doubled:?}");
    let swapped = check(vec![lines[0], lines[1], lines[3], lines[2]]);
    assert!(sequence(&swapped, 3, 2), "{swapped:?}");
    // Tasks do not depend on each other's order.
    assert!(check(vec![lines[1], lines[0], lines[2], lines[3]]).is_sound());
    // A line that was cut off.
    let cut = verify_export(&mut &text.as_bytes()[..text.len() - 1]).unwrap();
    assert_eq!(cut.faults[0].kind, FaultKind::NotAsExported);
    assert_eq!(cut.faults[0].line, Some(4));
}

#[test]
fn an_export_of_a_later_format_is_not_guessed_at() {
    let text = exported(&small()).replacen("\"v\":1", "\"v\":2", 1);
    let error = import(&mut MemoryJournal::default(), &mut text.as_bytes()).unwrap_err();
    assert!(error.to_string().starts_with("line 1: cannot be read as a record: format 2 is not known"), "{error}");
}

/// The hash as the description in `chain` has it, from nothing but an export line.
fn described_hash(line: &str) -> String {
    let field = |name: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line[name].clone()
    };
    let text = |name: &str| field(name).as_str().unwrap().to_owned().into_bytes();
    let body = &line[line.find("\"body\":").unwrap() + 7..line.rfind(",\"prev\":").unwrap()];
    let at: Timestamp = field("at").as_str().unwrap().parse().unwrap();
    let content_id = field("content_id").as_str().map_or(vec![0], |id| format!("\u{1}{id}").into_bytes());
    let prev =
        (0..32).map(|n| u8::from_str_radix(&field("prev").as_str().unwrap()[n * 2..][..2], 16).unwrap()).collect();
    let fields: [Vec<u8>; 8] = [
        b"recovery-journal/1".to_vec(),
        prev,
        text("task"),
        field("seq").as_u64().unwrap().to_be_bytes().to_vec(),
        at.ms().to_be_bytes().to_vec(),
        text("kind"),
        content_id,
        body.as_bytes().to_vec(),
    ];
    let bytes: Vec<u8> =
        fields.into_iter().flat_map(|field| [(field.len() as u64).to_be_bytes().to_vec(), field].concat()).collect();
    ContentId::of(&bytes).to_string()
}

#[test]
fn the_hashes_are_what_the_description_says() {
    for line in exported(&small()).lines() {
        assert!(line.contains(&format!("\"hash\":\"{}\"", described_hash(line))), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_records_go_out_and_in_unchanged(
        records in prop::collection::vec((0_usize..3, -1_000..1_000_i64, 0..9_usize, "[ -~é\u{2028}]{1,9}", any::<bool>(), "\\PC{0,20}"), 0..12)
    ) {
        let mut here = MemoryJournal::default();
        for (of, at, kind, id, with_id, text) in records {
            let new = NewRecord {
                at: Timestamp::from_ms(at),
                kind: RecordKind::ALL[kind].clone(),
                content_id: with_id.then(|| ContentId::new(id).unwrap()),
                body: serde_json::to_string(&text).unwrap(),
            };
            here.append(&task(["a", "b \"quoted\\", "ü"][of]), new).unwrap();
        }
        let text = exported(&here);
        let mut there = MemoryJournal::default();
        import(&mut there, &mut text.as_bytes()).unwrap();
        prop_assert_eq!(there.all().unwrap(), here.all().unwrap());
        prop_assert!(verify_export(&mut text.as_bytes()).unwrap().is_sound());
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let found = verify_export(&mut bytes.as_slice()).unwrap();
        prop_assert_eq!(found.is_sound(), bytes.is_empty());
    }
}

fn small() -> MemoryJournal {
    let mut journal = MemoryJournal::default();
    let mut add = |name: &str, ms: i64, kind, id: Option<&str>, body: &str| {
        let content_id = id.map(|id| ContentId::new(id).unwrap());
        let at = Timestamp::from_ms(1_769_248_800_000 + ms);
        journal.append(&task(name), NewRecord { at, kind, content_id, body: body.to_owned() }).unwrap();
    };
    add("TASK-1", 0, RecordKind::Event, Some("toolu_01"), r#"{"exit_code":1,"stderr_tail":"a \"quoted\" \u00e9"}"#);
    add("TASK-2 ü", 250, RecordKind::Note, None, r#"{ "spaced" : [1, 2.50] }"#);
    add("TASK-1", 1_000, RecordKind::Decision, Some("toolu_02"), r#"{"exit_code":2}"#);
    add("TASK-1", 999, RecordKind::Reset, None, "null");
    journal
}

fn exported(journal: &dyn Journal) -> String {
    let mut out = Vec::new();
    export(journal, None, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn task(name: &str) -> TaskId {
    TaskId::new(name).unwrap()
}
