import Data.Aeson.Next
main = print 1
