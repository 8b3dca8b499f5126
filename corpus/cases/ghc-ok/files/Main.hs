main = putStrLn "parse error recovery: ok"
