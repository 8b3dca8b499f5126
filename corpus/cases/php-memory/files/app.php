<?php
$a = [];
while (true) { $a[] = str_repeat('x', 100000); }
