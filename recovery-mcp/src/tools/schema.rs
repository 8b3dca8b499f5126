//! JSON Schemas of the tools' arguments and results, in the form that MCP clients accept.

use schemars::JsonSchema;
use serde_json::{Map, Value};

/// The schema of `T`.
pub(super) fn schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    match serde_json::to_value(schema).map(plain) {
        Ok(Value::Object(schema)) => schema,
        _ => Map::new(),
    }
}

/// The schema without the names of Rust's integers, which some clients warn about.
fn plain(schema: Value) -> Value {
    let is_rust = |key: &str, value: &Value| {
        key == "format" && value.as_str().is_some_and(|name| name.starts_with("uint") || name.starts_with("int"))
    };
    match schema {
        Value::Object(members) => members
            .into_iter()
            .filter(|(key, value)| !is_rust(key, value))
            .map(|(key, value)| (key, plain(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        scalar => scalar,
    }
}
