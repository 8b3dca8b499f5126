//! Packages whose name is not that of the module they bring.

/// Python modules and the distribution that has them.
#[rustfmt::skip]
pub(super) const PYTHON: &[(&str, &str)] = &[
    ("Crypto", "pycryptodome"), ("MySQLdb", "mysqlclient"), ("OpenSSL", "pyOpenSSL"), ("PIL", "Pillow"),
    ("attr", "attrs"), ("bs4", "beautifulsoup4"), ("corsheaders", "django-cors-headers"), ("cv2", "opencv-python"),
    ("dateutil", "python-dateutil"), ("distutils", "setuptools"), ("django", "Django"), ("docx", "python-docx"),
    ("dotenv", "python-dotenv"), ("environ", "django-environ"), ("fitz", "PyMuPDF"), ("flask", "Flask"),
    ("git", "GitPython"), ("google.protobuf", "protobuf"), ("grpc", "grpcio"), ("jose", "python-jose"), ("jwt", "PyJWT"),
    ("magic", "python-magic"), ("multipart", "python-multipart"), ("nacl", "PyNaCl"), ("pkg_resources", "setuptools"),
    ("pptx", "python-pptx"), ("psycopg2", "psycopg2-binary"), ("rest_framework", "djangorestframework"),
    ("serial", "pyserial"), ("skimage", "scikit-image"), ("sklearn", "scikit-learn"), ("slugify", "python-slugify"),
    ("socks", "PySocks"), ("telegram", "python-telegram-bot"), ("usb", "pyusb"), ("yaml", "PyYAML"), ("zmq", "pyzmq"),
];

/// Python modules that come with the system's Python, not from an index.
pub(super) const PYTHON_SYSTEM: &[(&str, &str)] = &[
    ("_tkinter", "python3-tk"),
    ("apt_pkg", "python3-apt"),
    ("ensurepip", "python3-venv"),
    ("gi", "python3-gi"),
    ("pip", "python3-pip"),
    ("tkinter", "python3-tk"),
    ("venv", "python3-venv"),
];

/// Ruby files and the gem that has them.
pub(super) const RUBY: &[(&str, &str)] = &[
    ("active_record", "activerecord"),
    ("active_support", "activesupport"),
    ("mysql2", "mysql2"),
    ("rspec", "rspec"),
    ("yard", "yard"),
];

/// PHP namespaces and the Composer package that has them.
#[rustfmt::skip]
pub(super) const PHP: &[(&str, &str)] = &[
    ("Carbon", "nesbot/carbon"), ("Doctrine", "doctrine/orm"), ("Firebase", "firebase/php-jwt"),
    ("GuzzleHttp", "guzzlehttp/guzzle"), ("Illuminate", "laravel/framework"), ("Monolog", "monolog/monolog"),
    ("PHPUnit", "phpunit/phpunit"), ("Predis", "predis/predis"), ("Ramsey", "ramsey/uuid"), ("Twig", "twig/twig"),
];

/// Java packages and the coordinates of the artifact that has them; the longest prefix holds.
#[rustfmt::skip]
pub(super) const JAVA: &[(&str, &str)] = &[
    ("com.fasterxml.jackson", "com.fasterxml.jackson.core:jackson-databind"), ("com.google.common", "com.google.guava:guava"),
    ("com.google.gson", "com.google.code.gson:gson"), ("com.mysql", "com.mysql:mysql-connector-j"),
    ("com.zaxxer.hikari", "com.zaxxer:HikariCP"), ("jakarta.persistence", "jakarta.persistence:jakarta.persistence-api"),
    ("jakarta.validation", "jakarta.validation:jakarta.validation-api"), ("javax.servlet", "javax.servlet:javax.servlet-api"),
    ("lombok", "org.projectlombok:lombok"), ("okhttp3", "com.squareup.okhttp3:okhttp"),
    ("org.apache.commons.io", "commons-io:commons-io"), ("org.apache.commons.lang3", "org.apache.commons:commons-lang3"),
    ("org.apache.logging.log4j", "org.apache.logging.log4j:log4j-core"), ("org.assertj", "org.assertj:assertj-core"),
    ("org.hamcrest", "org.hamcrest:hamcrest"), ("org.junit", "junit:junit"),
    ("org.junit.jupiter", "org.junit.jupiter:junit-jupiter"), ("org.mockito", "org.mockito:mockito-core"),
    ("org.postgresql", "org.postgresql:postgresql"), ("org.slf4j", "org.slf4j:slf4j-api"),
    ("org.springframework.boot", "org.springframework.boot:spring-boot-starter"),
];

/// .NET namespaces and the NuGet package that has them.
pub(super) const DOTNET: &[(&str, &str)] = &[
    ("Moq", "Moq"),
    ("NUnit", "NUnit"),
    ("Newtonsoft", "Newtonsoft.Json"),
    ("Npgsql", "Npgsql"),
    ("Swashbuckle", "Swashbuckle.AspNetCore"),
    ("Xunit", "xunit"),
];
