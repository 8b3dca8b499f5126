use std::net::TcpStream;
fn main() -> std::io::Result<()> {
    let port: u16 = std::env::args().nth(1).unwrap().parse().unwrap();
    TcpStream::connect(("127.0.0.1", port))?;
    Ok(())
}
