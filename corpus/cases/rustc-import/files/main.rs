use tokio::net::TcpStream;
fn main() {}
