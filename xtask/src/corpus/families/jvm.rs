//! Java, Kotlin and Maven.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

/// Debian keeps maven's plugins and JUnit as a local repository.
const POM: &str = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
<groupId>test</groupId><artifactId>app</artifactId><version>1</version>\
<properties><maven.compiler.source>17</maven.compiler.source>\
<maven.compiler.target>17</maven.compiler.target></properties>\
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version>\
<scope>test</scope></dependency></dependencies></project>\n";

/// A project that needs a library no repository here has.
const POM_NEEDS: &str = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
<groupId>test</groupId><artifactId>app</artifactId><version>1</version>\
<dependencies><dependency><groupId>test.internal</groupId><artifactId>billing-core</artifactId><version>4.2.0</version>\
</dependency></dependencies></project>\n";

/// All requests go to the mirror the command names.
const MIRROR: (&str, &str) = (
    "settings.xml",
    "<settings><mirrors><mirror><id>proxy</id><mirrorOf>*</mirrorOf><url>${env.MIRROR}</url>\
     <blocked>false</blocked></mirror></mirrors></settings>",
);

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "java",
        language: Some("Java"),
        needs: &["java", "javac"],
        cases: &[
            case("java-syntax", COMPILE, "javac App.java", "a missing semicolon").files(&[(
                "App.java",
                "class App {\n    public static void main(String[] a) {\n        int limit = \
                 429\n        System.out.println(limit);\n    }\n\
                 }\n",
            )]),
            case("java-symbol", COMPILE, "javac App.java", "names that do not exist").files(&[(
                "App.java",
                "import java.util.List;\n\
                 class App {\n    List<String> names() { return Lists.of(1); }\n    int \
                 size() { return names().length; }\n\
                 }\n",
            )]),
            case("java-package", DEPENDENCY, "javac App.java", "a package that is not on the class path")
                .files(&[("App.java", "import com.google.gson.Gson;\nclass App { Gson gson = new Gson(); }\n")]),
            case("java-null", EXCEPTION, "javac App.java && java App", "a null pointer").files(&[(
                "App.java",
                "class App {\n    static String name;\n    public static void main(String[] \
                 a) { System.out.println(name.length()); }\n\
                 }\n",
            )]),
            case("java-caused", EXCEPTION, "javac App.java && java App", "an exception with a cause").files(&[(
                "App.java",
                "class App {\n    static void load() { throw new IllegalStateException(\"no \
                 region set\"); }\n    public static void main(String[] a) {\n        try { \
                 load(); } catch (RuntimeException e) { throw new RuntimeException(\"startup \
                 failed\", e); }\n    }\n\
                 }\n",
            )]),
            case("java-jar", MISSING_FILE, "java -jar target/app.jar", "the archive is not there"),
            case("java-heap", OUT_OF_MEMORY, "javac App.java && java -Xmx16m App", "the heap is full").files(&[(
                "App.java",
                "import java.util.*;\n\
                 class App {\n    public static void main(String[] a) {\n        \
                 List<byte[]> all = new ArrayList<>();\n        while (true) all.add(new \
                 byte[1 << 20]);\n    }\n\
                 }\n",
            )]),
            case("java-refused", CONNECTION, "javac App.java && java App $CLOSED_PORT", "nothing listens on the port")
                .files(&[(
                    "App.java",
                    "class App {\n    public static void main(String[] a) throws Exception { new \
                 java.net.Socket(\"127.0.0.1\", Integer.parseInt(a[0])); }\n\
                 }\n",
                )]),
            case("java-stall", TIMEOUT, "javac App.java && java App $STALL_PORT", "no answer in time").files(&[(
                "App.java",
                "class App {\n    public static void main(String[] a) throws Exception \
                 {\n        var s = new java.net.Socket(\"127.0.0.1\", \
                 Integer.parseInt(a[0]));\n        s.setSoTimeout(500);\n        \
                 s.getInputStream().read();\n    }\n\
                 }\n",
            )]),
            case("java-file", MISSING_FILE, "javac App.java && java App", "a file that is not there").files(&[(
                "App.java",
                "class App {\n    public static void main(String[] a) throws Exception { new \
                 java.io.FileReader(\"app.properties\"); }\n\
                 }\n",
            )]),
            case("java-option", BAD_ARGUMENT, "java -Xmz512m App", "an option java does not have"),
            case(
                "java-ok",
                BENIGN,
                "javac -Xlint App.java && java App",
                "a warning, then a run that prints a caught exception",
            )
            .files(&[(
                "App.java",
                "import java.util.*;\n\
                 class App {\n    public static void main(String[] a) {\n        List raw = \
                 new ArrayList();\n        try { throw new java.io.IOException(\"Connection \
                 reset\"); } catch (java.io.IOException e) { System.out.println(\"recovered \
                 from \" + e); }\n    }\n\
                 }\n",
            )]),
        ],
    },
    Tool {
        name: "maven",
        language: Some("Java"),
        needs: &["mvn"],
        cases: &[
            case(
                "maven-compile",
                COMPILE,
                "mvn -B -o -Dmaven.repo.local=/usr/share/maven-repo compile",
                "a class does not compile",
            )
            .files(&[("pom.xml", POM), ("src/main/java/A.java", "class A { int f() { return \"x\"; } }\n")]),
            case("maven-test", TEST, "mvn -B -o -Dmaven.repo.local=/usr/share/maven-repo test", "an assertion fails")
                .files(&[
                    ("pom.xml", POM),
                    (
                        "src/test/java/SumTest.java",
                        "import org.junit.*;\n\
                 public class SumTest {\n    @Test public void sums() { \
                 Assert.assertEquals(3, 1 + 1); }\n    @Test public void timeoutIsReported() {}\n\
                 }\n",
                    ),
                ]),
            case(
                "maven-503",
                UNAVAILABLE,
                "MIRROR=$SERVER/503 mvn -B -s settings.xml -Dmaven.repo.local=repo compile",
                "the repository is unavailable",
            )
            .files(&[("pom.xml", POM_NEEDS), MIRROR]),
            case(
                "maven-refused",
                CONNECTION,
                "MIRROR=http://127.0.0.1:$CLOSED_PORT mvn -B -s settings.xml -Dmaven.repo.local=repo compile",
                "the repository refuses connections",
            )
            .files(&[("pom.xml", POM_NEEDS), MIRROR]),
            case(
                "maven-401",
                CREDENTIALS,
                "MIRROR=$SERVER/401 mvn -B -s settings.xml -Dmaven.repo.local=repo compile",
                "the repository wants a login",
            )
            .files(&[("pom.xml", POM_NEEDS), MIRROR]),
            case(
                "maven-404",
                DEPENDENCY,
                "cp -rs /usr/share/maven-repo repo && MIRROR=$SERVER/404 mvn -B -s settings.xml \
                 -Dmaven.repo.local=repo compile",
                "no repository has the library",
            )
            .files(&[("pom.xml", POM_NEEDS), MIRROR, ("src/main/java/A.java", "class A {}\n")]),
            case("maven-none", MISSING_FILE, "mvn -B -o clean package", "no pom.xml here"),
            case(
                "maven-goal",
                BAD_ARGUMENT,
                "mvn -B -o -Dmaven.repo.local=/usr/share/maven-repo buidl",
                "a phase maven does not have",
            )
            .files(&[("pom.xml", POM)]),
            case("maven-pom", COMPILE, "mvn -B -o compile", "pom.xml does not parse")
                .files(&[("pom.xml", "<project><modelVersion>4.0.0</modelVersion><artifactId>app</project>\n")]),
            case("maven-ok", BENIGN, "mvn -B -o -Dmaven.repo.local=/usr/share/maven-repo test", "the tests pass")
                .files(&[
                    ("pom.xml", POM),
                    (
                        "src/test/java/ErrorTest.java",
                        "import org.junit.*;\n\
                 public class ErrorTest { @Test public void failsOnTimeout() {} }\n",
                    ),
                ]),
        ],
    },
    Tool {
        name: "kotlin",
        language: Some("Kotlin"),
        needs: &["kotlinc"],
        cases: &[case(
            "kotlin-type",
            COMPILE,
            "kotlinc app.kt -d out 2>&1 | grep -v 'WARNING:'; exit ${PIPESTATUS[0]}",
            "a value of the wrong type",
        )
        .files(&[("app.kt", "fun port(): Int = \"80\"\nfun main() { println(prot()) }\n")])],
    },
];
