<?php
class CartTest extends PHPUnit\Framework\TestCase {
    public function testSum() { $this->assertSame(3, 1 + 1); }
    public function testTimeout() { $this->assertTrue(true); }
}
