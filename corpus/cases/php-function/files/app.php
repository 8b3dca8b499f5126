<?php
echo money_fmt(3);
