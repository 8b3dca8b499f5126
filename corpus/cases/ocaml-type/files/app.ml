let port : int = "80"
let () = print_int port
