<?php
require 'config/settings.php';
