let () = ignore (List.find (fun x -> x > 3) [1; 2])
