<?php
class ErrorTest extends PHPUnit\Framework\TestCase {
    public function testConnectionRefusedIsReported() { $this->assertTrue(true); }
}
