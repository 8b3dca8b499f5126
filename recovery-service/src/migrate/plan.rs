//! The plan tree: `active.json`, and a node's Markdown with frontmatter.
//!
//! In: either file's text. Out: a `Planned` entry per node (tier, parent, budget, deviation, status), which node is worked on,
//! and the mission's constraints for the project. A file that only names the active node takes nothing away from what is
//! known of it. Frontmatter is read as `key: value` lines, simple lists and maps, which is all that the originals write; deeper
//! YAML is passed over. Back, `active.json` from the journal, with what has changed since.

use super::fields::{BYTE_ORDER_MARK, json_of, text_of};
use super::{ImportReport, Owner, Parsed, Recorded, What};
use crate::ServiceError;
use crate::ledger::{Ledger, PROJECT};
use recovery_engine::Entry;
use recovery_store::{Journal, TaskId};
use recovery_types::{Ancestor, Constraint, Node, Timestamp};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// `active.json`: the nodes, the path to the active one, and which one that is.
pub(super) fn parse(text: &str, report: &mut ImportReport) -> Result<Vec<Parsed>, String> {
    let file = json_of(text)?;
    let mut parsed = Vec::new();
    let mut nodes: Vec<Value> = file["nodes"].as_array().cloned().unwrap_or_default();
    for (id, node) in file["nodes"].as_object().into_iter().flatten() {
        let mut node = node.clone();
        if let Some(fields) = node.as_object_mut() {
            fields.entry("id").or_insert_with(|| json!(id));
        }
        nodes.push(node);
    }
    if file["nodes"].is_null() && (file.get("tier").is_some() || file.get("parent_id").is_some()) {
        nodes.push(file.clone());
    }
    let names = ["active", "active_task", "active_node", "current", "current_task", "task_id", "node_id", "id"];
    let path: Vec<&str> = file["path"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let active = text_of(&file, &names).or_else(|| path.last().map(|id| (*id).to_owned()));
    for pair in path.windows(2) {
        if nodes.iter().all(|node| node["id"] != pair[1]) {
            nodes.push(json!({"id": pair[1], "parent_id": pair[0]}));
        }
    }
    if let Some(id) = active.as_ref().filter(|id| nodes.iter().all(|node| node["id"] != **id)) {
        nodes.push(json!({"id": id}));
    }
    for (n, node) in nodes.iter().enumerate() {
        let is_active = active.as_deref() == node["id"].as_str();
        parsed.extend(planned(node, is_active, &format!("node {}", n + 1), report));
    }
    if parsed.is_empty() && report.skipped.is_empty() {
        report.skip("the file".to_owned(), "it has neither nodes nor an active one");
    }
    Ok(parsed)
}

/// Whether a text begins as a node's Markdown does.
pub(super) fn has_frontmatter(text: &str) -> bool {
    text.trim_start_matches(BYTE_ORDER_MARK).trim_start().lines().next().is_some_and(|line| line.trim_end() == "---")
}

/// A node's Markdown: the text between two lines of `---`, `key: value` each, lists as `[a, b]` or `- a`, and maps of one level.
pub(super) fn parse_frontmatter(text: &str, report: &mut ImportReport) -> Vec<Parsed> {
    let mut fields = Map::new();
    // A key without a value on its line has it on the lines below, or none.
    let mut open: Option<String> = None;
    for line in text.trim_start().lines().skip(1).take_while(|line| line.trim() != "---") {
        let below = open.as_ref().and_then(|key| fields.get_mut(key));
        if let (Some(item), Some(value)) = (line.trim().strip_prefix("- "), below) {
            add(value, None, scalar(item));
            continue;
        }
        let below = open.as_ref().and_then(|key| fields.get_mut(key)).filter(|_| line.starts_with(' '));
        if let (Some((key, item)), Some(value)) = (line.trim().rsplit_once(": "), below) {
            add(value, Some(key), scalar(item));
            continue;
        }
        let Some((key, value)) = line.split_once(':').filter(|_| !line.starts_with([' ', '#'])) else { continue };
        let (key, value) = (key.trim().to_owned(), value.trim());
        open = value.is_empty().then(|| key.clone());
        let value = match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some("") => json!([]),
            Some(items) => items.split(',').map(scalar).collect(),
            None if value.is_empty() => Value::Null,
            None => scalar(value),
        };
        fields.insert(key, value);
    }
    planned(&Value::Object(fields), false, "the frontmatter", report)
}

/// Adds an item to a list, or to a map where it has a name.
fn add(value: &mut Value, name: Option<&str>, item: Value) {
    if value.is_null() {
        *value = if name.is_some() { json!({}) } else { json!([]) };
    }
    match (value, name) {
        (Value::Array(items), None) => items.push(item),
        (Value::Object(fields), Some(name)) => {
            fields.insert(name.to_owned(), item);
        }
        _ => {}
    }
}

/// A value; what is quoted is a text, and what follows ` #` without quotes is a comment.
fn scalar(text: &str) -> Value {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some((quoted, _)) = text.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return json!(quoted);
        }
    }
    let plain = text.split(" #").next().unwrap_or(text).trim_end();
    match plain {
        "null" | "~" => Value::Null,
        _ => plain
            .parse::<u64>()
            .map(Value::from)
            .or_else(|_| plain.parse::<f64>().map(Value::from))
            .unwrap_or_else(|_| json!(plain)),
    }
}

fn planned(node: &Value, is_active: bool, place: &str, report: &mut ImportReport) -> Vec<Parsed> {
    let original = node.clone();
    let mut fields = crate::Accept::<Node>::default().spell(node.clone()).value;
    if let Some(fields) = fields.as_object_mut() {
        // The originals' shorter names.
        for (theirs, ours) in
            [("parent", "parent_id"), ("budget", "replan_budget_remaining"), ("deviation", "deviation_score")]
        {
            if let (Some(value), false) = (fields.get(theirs).cloned(), fields.contains_key(ours)) {
                fields.insert(ours.to_owned(), value);
            }
        }
    }
    let read: Node = match serde_json::from_value(fields) {
        Ok(read) => read,
        Err(error) => {
            report.skip(place.to_owned(), &crate::json::plain(&error.to_string()));
            return Vec::new();
        }
    };
    let at = Timestamp::default();
    let mission = mission(node, &read.id);
    let id = read.id.clone();
    let entry = |mission| Entry::Planned { at, node: Box::new(read.clone()), is_active, mission };
    let one = |owner: Owner, mission| Parsed {
        owner,
        at,
        what: What::Entry(Box::new(entry(mission))),
        original: original.clone(),
    };
    let mut all = vec![one(Owner::Task(id), None)];
    // What holds for every task is the project's.
    if is_active || mission.is_some() {
        all.push(one(Owner::Project, mission.map(Box::new)));
    }
    all
}

/// The constraints and features that a node states for everything below it.
fn mission(node: &Value, id: &str) -> Option<Ancestor> {
    let texts = |name: &str| -> Vec<String> {
        node[name].as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let mut constraints: Vec<Constraint> = serde_json::from_value(node["constraints"].clone()).unwrap_or_default();
    let own = Constraint { id: id.to_owned(), forbid: texts("forbid"), protect: texts("protect") };
    if !own.forbid.is_empty() || !own.protect.is_empty() {
        constraints.push(own);
    }
    let features = serde_json::from_value(node["features"].clone()).unwrap_or_default();
    let found = Ancestor { id: Some(id.to_owned()), intent: text_of(node, &["intent"]), constraints, features };
    (found.intent.is_some() || !found.constraints.is_empty() || !found.features.is_empty()).then_some(found)
}

/// Whether a field says nothing that a reader of the file would miss.
fn is_nothing(field: &Value) -> bool {
    match field {
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        other => other.is_null() || other == &json!(0),
    }
}

/// Adds what the file had and nothing here has changed. A node that was thawed meanwhile is not frozen any more.
fn add_unchanged(fields: &mut Map<String, Value>, original: &Map<String, Value>) {
    const RENAMED: [&str; 3] = ["parent", "budget", "deviation"];
    for (name, value) in original {
        let is_thawed = name == "status" && value == "frozen";
        if !RENAMED.contains(&name.as_str()) && !is_thawed {
            fields.entry(name).or_insert_with(|| value.clone());
        }
    }
}

/// The nodes that events or plans named, with what is known of them.
pub(super) fn write<J: Journal>(ledger: &Ledger<J>, entries: &[Recorded]) -> Result<Value, ServiceError> {
    let originals: BTreeMap<&str, &Value> = entries
        .iter()
        .filter_map(|entry| entry.original.as_ref())
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let project = ledger.state(&TaskId::new(PROJECT)?)?;
    let mut nodes = Vec::new();
    for (task, state) in ledger.tasks()? {
        let Some(id) = state.node.clone().or_else(|| state.plan.as_ref().map(|node| node.id.clone())) else { continue };
        let mut node = state.plan.as_deref().cloned().unwrap_or_default();
        node.parent_id = state.parent.clone().or(node.parent_id);
        node.id = id;
        if state.frozen.is_some() {
            node.status = Some("frozen".to_owned());
        }
        let mut value = serde_json::to_value(&node).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            fields.retain(|_, field| !is_nothing(field));
            if node.id != task.as_str() {
                fields.insert("task".to_owned(), json!(task));
            }
            if let Some(mission) =
                project.mission.as_deref().filter(|mission| mission.id.as_deref() == Some(node.id.as_str()))
            {
                fields.insert("intent".to_owned(), json!(mission.intent));
                fields.insert("constraints".to_owned(), json!(mission.constraints));
                fields.insert("features".to_owned(), json!(mission.features));
                fields.retain(|_, field| !is_nothing(field));
            }
            if let Some(Value::Object(original)) = originals.get(node.id.as_str()) {
                add_unchanged(fields, original);
            }
        }
        nodes.push(value);
    }
    Ok(json!({"active": project.active, "nodes": nodes}))
}
