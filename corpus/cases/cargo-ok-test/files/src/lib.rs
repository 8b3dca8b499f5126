#[cfg(test)]
mod tests {
    #[test]
    fn fails_on_timeout() {}
    #[test]
    #[should_panic]
    fn panics_on_error() { panic!("connection reset") }
}
