use strict;
$total = 3;
