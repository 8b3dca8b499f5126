module example.test/app

go 1.19

require example.test/retry v1.2.0
