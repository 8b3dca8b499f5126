pub fn add(a: i32, b: i32) -> i32 { a - b }
#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(super::add(2, 2), 4); }
    #[test]
    fn connection_refused_is_retried() {}
}
