/// Doubles.
///
/// ```
/// assert_eq!(app::double(2), 5);
/// ```
pub fn double(n: i32) -> i32 { n * 2 }
