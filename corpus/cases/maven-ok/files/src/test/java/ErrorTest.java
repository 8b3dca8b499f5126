import org.junit.*;
public class ErrorTest { @Test public void failsOnTimeout() {} }
