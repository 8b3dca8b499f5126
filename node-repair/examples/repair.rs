//! Asks for the repair of a failed task.

use node_repair::{RepairConfig, select};
use recovery_types::{RepairRequest, Strategy};

fn main() {
    let mut request = RepairRequest::default();
    request.task.number = "3".into();
    request.error.text = "ModuleNotFoundError: No module named 'yaml'".into();
    let repair = select(&request, &RepairConfig::default());
    assert_eq!(repair.strategy, Some(Strategy::Retry));
    println!("{}", repair.directive.expect("a strategy has a directive"));
}
