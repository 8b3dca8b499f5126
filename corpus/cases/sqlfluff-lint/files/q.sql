select  a,B from t where a=1
