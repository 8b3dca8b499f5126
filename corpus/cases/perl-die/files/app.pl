my %h;
$h{job}->run();
