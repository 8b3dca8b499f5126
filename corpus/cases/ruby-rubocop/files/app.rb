def  f( a )
  return a
end
