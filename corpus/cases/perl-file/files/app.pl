open(my $f, '<', 'in.csv') or die "cannot open in.csv: $!";
