use Test::More tests => 2;
is(1 + 1, 3, 'sum');
ok(1, 'no errors');
