//! The edits of a settings file: our hooks, MCP server and status line, added and removed.
//!
//! In: the text of a file and the entries of `setup.rs`. Out: the new text, or a refusal; files are read and written
//! by the caller. Our entries are recognised by the command that they run (`launch.rs`), so entries of another
//! version are replaced, and everything that the person wrote stays, comments and layout included. JSON is edited
//! with `jsonc.rs`, Codex's TOML with `toml_edit`.

use crate::error::refuse;
use crate::jsonc::Document;
use crate::setup::{Entry, SERVER, Server};
use crate::{InstallError, Invocation, Launch, launch};
use recovery_agents::Agent;
use serde_json::Value;

/// The settings with exactly our entries for `agent` beside whatever else is there.
pub(crate) fn present(
    text: &str,
    agent: Agent,
    version: Option<u32>,
    events: &[(&'static str, Entry)],
) -> Result<String, InstallError> {
    let mut text = text.to_owned();
    if let Some(version) = version
        && Document::parse(&text)?.get(&["version"]).is_none()
    {
        text = Document::parse(&text)?.with(&["version"], &version);
    }
    let known = Document::parse(&text)?;
    let elsewhere = ours_in(&known, agent).into_iter().map(|(event, _)| event);
    let outdated: Vec<String> = elsewhere.filter(|event| !events.iter().any(|(wanted, _)| wanted == event)).collect();
    for event in outdated {
        text = without_ours(&text, agent, &event)?;
    }
    for (event, entry) in events {
        let path = ["hooks", event];
        let document = Document::parse(&text)?;
        if let Some(part) = document.obstacle(&path) {
            refuse!("`{part}` is not an object; hooks cannot be added there");
        }
        let list = document.get(&path);
        if list.as_ref().is_some_and(|list| !list.is_array()) {
            refuse!("`hooks.{event}` is not a list; a hook cannot be added there");
        }
        let wanted = serde_json::to_value(entry)?;
        let items = list.and_then(|list| list.as_array().cloned()).unwrap_or_default();
        let ours: Vec<&Value> = items.iter().filter(|item| has_ours(item, agent)).collect();
        if ours == [&wanted] {
            continue;
        }
        if !ours.is_empty() {
            text = without_ours(&text, agent, event)?;
        }
        let document = Document::parse(&text)?;
        text = match document.get(&path) {
            Some(_) => document.with_item(&path, entry),
            None if document.get(&["hooks"]).is_some() => document.with(&path, &[entry]),
            None => {
                let hooked = document.with(&["hooks"], &serde_json::json!({}));
                Document::parse(&hooked)?.with(&path, &[entry])
            }
        };
    }
    Ok(text)
}

/// The settings without anything of ours; none where nothing else is left.
pub(crate) fn absent(text: &str, agent: Agent) -> Result<Option<String>, InstallError> {
    let document = Document::parse(text)?;
    let mut events: Vec<String> = ours_in(&document, agent).into_iter().map(|(event, _)| event).collect();
    if events.is_empty() {
        return Ok(Some(text.to_owned()));
    }
    events.dedup();
    let mut text = text.to_owned();
    for event in events {
        text = without_ours(&text, agent, &event)?;
    }
    if Document::parse(&text)?.get(&["hooks"]) == Some(serde_json::json!({})) {
        text = Document::parse(&text)?.without(&["hooks"]);
    }
    let rest = Document::parse(&text)?.get(&[]).unwrap_or_default();
    Ok((rest != serde_json::json!({})).then_some(text))
}

/// Takes our handlers out of one event's list, and the list where nothing else was in it.
fn without_ours(text: &str, agent: Agent, event: &str) -> Result<String, InstallError> {
    let path = ["hooks", event];
    let mut text = text.to_owned();
    let items = Document::parse(&text)?.get(&path).and_then(|list| list.as_array().cloned()).unwrap_or_default();
    for (index, item) in items.iter().enumerate().rev().filter(|(_, item)| has_ours(item, agent)) {
        let handlers = item.get("hooks").and_then(Value::as_array);
        let foreign = handlers.is_some_and(|all| !all.iter().all(|handler| is_ours(handler, agent)));
        if !foreign {
            text = Document::parse(&text)?.without_item(&path, index);
            continue;
        }
        let place = index.to_string();
        for (inner, handler) in handlers.into_iter().flatten().enumerate().collect::<Vec<_>>().into_iter().rev() {
            if is_ours(handler, agent) {
                text = Document::parse(&text)?.without_item(&["hooks", event, &place, "hooks"], inner);
            }
        }
    }
    let document = Document::parse(&text)?;
    Ok(if document.get(&path) == Some(serde_json::json!([])) { document.without(&path) } else { text })
}

/// Our hooks in a settings file: each event with what is run.
pub(crate) fn ours_in(document: &Document<'_>, agent: Agent) -> Vec<(String, Invocation)> {
    let Some(Value::Object(events)) = document.get(&["hooks"]) else { return Vec::new() };
    let handlers = events.iter().flat_map(|(event, list)| {
        let items = list.as_array().into_iter().flatten();
        items.flat_map(handlers).filter(|handler| is_ours(handler, agent)).map(move |handler| (event, handler))
    });
    handlers.filter_map(|(event, handler)| Some((event.clone(), invocation(handler)?))).collect()
}

/// A group's handlers, or the handler itself.
fn handlers(item: &Value) -> Vec<&Value> {
    match item.get("hooks").and_then(Value::as_array) {
        Some(group) => group.iter().collect(),
        None => vec![item],
    }
}

fn has_ours(item: &Value, agent: Agent) -> bool {
    handlers(item).into_iter().any(|handler| is_ours(handler, agent))
}

fn is_ours(handler: &Value, agent: Agent) -> bool {
    let line = match invocation(handler) {
        Some(Invocation::Program(program, args)) => format!("{program} {}", args.join(" ")),
        Some(Invocation::Shell(line)) => line,
        None => return false,
    };
    launch::is_ours(&line, agent)
}

fn invocation(handler: &Value) -> Option<Invocation> {
    let line = ["command", "bash"].into_iter().find_map(|key| handler.get(key)?.as_str())?.to_owned();
    let Some(args) = handler.get("args").and_then(Value::as_array) else { return Some(Invocation::Shell(line)) };
    Some(Invocation::Program(line, args.iter().filter_map(Value::as_str).map(str::to_owned).collect()))
}

pub(crate) fn with_server(
    text: &str,
    parent: &str,
    server: &Server,
    wanted: bool,
) -> Result<Option<String>, InstallError> {
    let document = Document::parse(text)?;
    let path = [parent, SERVER];
    let known = document.get(&path);
    if let Some(known) = known.as_ref().filter(|known| !starts_recovery(known)) {
        if wanted {
            refuse!("it has another MCP server called {SERVER}: {known}");
        }
        return Ok(Some(text.to_owned()));
    }
    if wanted {
        if let Some(part) = document.obstacle(&path) {
            refuse!("`{part}` is not an object; a server cannot be added there");
        }
        let same = known == Some(serde_json::to_value(server)?);
        return Ok(Some(if same { text.to_owned() } else { document.with(&path, server) }));
    }
    if known.is_none() {
        return Ok(Some(text.to_owned()));
    }
    let mut text = document.without(&path);
    if Document::parse(&text)?.get(&[parent]) == Some(serde_json::json!({})) {
        text = Document::parse(&text)?.without(&[parent]);
    }
    let nothing_left = Document::parse(&text)?.get(&[]) == Some(serde_json::json!({}));
    Ok((!nothing_left).then_some(text))
}

/// What the status line's command ends in.
const STATUS_LINE: &str = " status --line || true";

pub(crate) fn with_status_line(text: &str, launch: &Launch) -> Result<String, InstallError> {
    let document = Document::parse(text)?;
    if document.obstacle(&["statusLine"]).is_some() {
        refuse!("it is not an object; a status line cannot be added there");
    }
    let wanted = serde_json::json!({"type": "command", "command": format!("{}{STATUS_LINE}", launch.quoted())});
    match document.get(&["statusLine"]) {
        Some(known) if known == wanted => Ok(text.to_owned()),
        Some(known) if !is_our_status_line(&known) => refuse!("it has another status line; take that out first"),
        _ => Ok(document.with(&["statusLine"], &wanted)),
    }
}

pub(crate) fn without_status_line(text: &str) -> Result<Option<String>, InstallError> {
    let document = Document::parse(text)?;
    if !document.get(&["statusLine"]).is_some_and(|known| is_our_status_line(&known)) {
        return Ok(Some(text.to_owned()));
    }
    let text = document.without(&["statusLine"]);
    let nothing_left = Document::parse(&text)?.get(&[]) == Some(serde_json::json!({}));
    Ok((!nothing_left).then_some(text))
}

fn is_our_status_line(line: &Value) -> bool {
    line.get("command").and_then(Value::as_str).is_some_and(|command| command.ends_with(STATUS_LINE))
}

fn starts_recovery(server: &Value) -> bool {
    let command = server.get("command");
    let program = command.and_then(|c| c.as_str().or_else(|| c.get(0)?.as_str())).unwrap_or_default();
    matches!(program.rsplit(['/', '\\']).next(), Some("recovery" | "recovery.exe"))
}

pub(crate) fn with_toml_server(text: &str, launch: &Launch, wanted: bool) -> Result<Option<String>, InstallError> {
    let mut document: toml_edit::DocumentMut = text.parse()?;
    let table = document.get("mcp_servers").and_then(|servers| servers.get(SERVER));
    if table.is_some() == wanted {
        return Ok(Some(text.to_owned()));
    }
    if !wanted {
        if let Some(servers) = document.get_mut("mcp_servers").and_then(toml_edit::Item::as_table_like_mut) {
            servers.remove(SERVER);
            if servers.is_empty() {
                document.remove("mcp_servers");
            }
        }
        let text = document.to_string();
        return Ok((!text.trim().is_empty()).then_some(text));
    }
    let mut server = toml_edit::Table::new();
    server.insert("command", toml_edit::value(launch.program()));
    server.insert("args", toml_edit::value(toml_edit::Array::from_iter(["mcp"])));
    let servers = document.entry("mcp_servers").or_insert_with(|| {
        let mut servers = toml_edit::Table::new();
        servers.set_implicit(true);
        toml_edit::Item::Table(servers)
    });
    let Some(servers) = servers.as_table_mut() else { refuse!("`mcp_servers` is not a table") };
    servers.insert(SERVER, toml_edit::Item::Table(server));
    Ok(Some(document.to_string()))
}
