import org.junit.*;
public class SumTest {
    @Test public void sums() { Assert.assertEquals(3, 1 + 1); }
    @Test public void timeoutIsReported() {}
}
