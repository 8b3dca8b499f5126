<?php
function load() { throw new RuntimeException('no tenant selected'); }
load();
