let port: int = "80"
echo prot
