let () = Yojson.Safe.pretty_print ()
