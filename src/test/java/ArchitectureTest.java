import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Date;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The house as {@code docs/architecture.md} draws it, held by a machine. */
@SuppressWarnings("DefaultPackage") // it looks at every room and lives in none
class ArchitectureTest {
    private static final Path MAIN = Path.of("src", "main", "java");
    private static final Path TESTS = Path.of("src", "test", "java");
    private static final JavaClasses HOUSE = new ClassFileImporter().importPath(Path.of("target", "classes"));
    private static final JavaClasses ITS_TESTS = new ClassFileImporter().importPath(Path.of("target", "test-classes"));

    /** Every room, and the rooms that it may import. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry("model", Set.of()),
            // how often something is tried and said
            Map.entry("pace", Set.of()),
            // who is at the other end
            Map.entry("net", Set.of()),
            Map.entry("verify", Set.of("model")),
            Map.entry("remote", Set.of("verify", "model")),
            Map.entry("adapters", Set.of("verify", "net", "model")),
            Map.entry("intake", Set.of("adapters", "verify", "pace", "model")),
            Map.entry("claims", Set.of("pace", "model")),
            Map.entry("redis", Set.of("pace", "model")),
            Map.entry("pgevent", Set.of("pace")),
            Map.entry("http", Set.of("model")),
            // who is calling stands in the request
            Map.entry("access", Set.of("http", "pace", "model")),
            Map.entry(
                    "routes",
                    Set.of(
                            "http",
                            "intake",
                            "adapters",
                            "verify",
                            "claims",
                            "redis",
                            "pgevent",
                            "access",
                            "pace",
                            "net",
                            "model")),
            Map.entry(
                    "hub",
                    Set.of(
                            "routes",
                            "http",
                            "intake",
                            "adapters",
                            "verify",
                            "claims",
                            "redis",
                            "pgevent",
                            "access",
                            "net",
                            "remote",
                            "model")));

    /** Who may touch {@code java.sql}, and why; everybody else asks through a {@code sql:} step. */
    private static final Set<String> KNOW_JDBC = Set.of(
            // opens, checks and migrates the database before there is a route
            "hub.Database",
            "hub.DatabaseUrl",
            "hub.EmbeddedServer",
            // read what failed from a SQLException's state
            "intake.Fault",
            "claims.Fault",
            "redis.Blame",
            "routes.HttpRefusals",
            // maps the rows of a sql: step without a map for each
            "claims.TodoRows");

    static Set<String> rooms() {
        return HOUSE.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyPackageIsARoomOfTheHouse() {
        assertThat(ARROWS.keySet()).containsAll(rooms());
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void everyRoomImportsOnlyTheRoomsBelowIt(String room) {
        String[] others = ARROWS.keySet().stream()
                .filter(other -> !other.equals(room) && !ARROWS.get(room).contains(other))
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .check(HOUSE);
    }

    @Test
    void noTwoRoomsNeedEachOther() {
        slices().matching("(*)").should().beFreeOfCycles().check(HOUSE);
    }

    @Test
    void verificationAndTheModelKnowNeitherCamelNorTheOutsideWorld() {
        noClasses()
                .that()
                .resideInAnyPackage("verify", "model")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "org.apache.camel..",
                                "java.io",
                                "java.net..",
                                "java.nio.channels..",
                                "java.nio.file..",
                                "java.sql..",
                                "javax.sql..",
                                "org.slf4j..")
                        // decodes text, whatever its package is for
                        .and(not(type(URLDecoder.class)))
                        .and(not(type(URI.class)))
                        .and(not(type(URISyntaxException.class)))
                        // reads a certificate out of bytes
                        .and(not(type(ByteArrayInputStream.class))))
                .check(HOUSE);
    }

    /** What stops at the first byte that differs tells a stranger, by the time it takes, how much was right. */
    @Test
    void whatIsSecretIsComparedInConstantTime() {
        noClasses()
                .that()
                .resideInAnyPackage("verify", "access")
                .should()
                .callMethodWhere(target(nameMatching("equals|compare|mismatch|deepEquals"))
                        .and(target(
                                owner(type(Arrays.class).or(type(Objects.class)).or(type(ByteBuffer.class))))))
                .check(HOUSE);
        noClasses()
                .that()
                .haveNameMatching("verify\\.(SignatureVerifier|TokenVerifier|SigningKey|Secret)")
                .should()
                .callMethodWhere(target(nameMatching("(contentE|e)quals(IgnoreCase)?|compareTo(IgnoreCase)?|matches"))
                        .and(target(owner(type(String.class).or(type(Object.class))))))
                .check(HOUSE);
    }

    @Test
    void adaptersAndTheirRulesKnowNoCamel() {
        noClasses()
                .that()
                .resideInAPackage("adapters")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.camel..")
                .check(HOUSE);
    }

    @Test
    void onlyTheNamedClassesKnowJdbc() {
        // the sources, because the byte code of a catch clause names no type that can be asked for
        Set<String> known = sources(MAIN)
                .filter(source -> !source.startsWith(MAIN.resolve("pgevent")))
                .filter(source -> lines(source).anyMatch(line -> line.contains("java.sql.")))
                .map(source ->
                        MAIN.relativize(source).toString().replace(".java", "").replace('/', '.'))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(known).isEqualTo(new TreeSet<>(KNOW_JDBC));
    }

    @Test
    void statementsRunInSqlStepsAlone() {
        noClasses()
                .that()
                // reads the rows of a sql: step without a map for each; runs nothing
                .haveNameNotMatching("claims\\.TodoRows.*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.jdbc.core..", "org.springframework.jdbc.object..")
                .check(HOUSE);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("hub.Database")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.flywaydb..")
                .check(HOUSE);
    }

    @Test
    void routesDecideInJavaAndNotInLadders() {
        noClasses()
                .should()
                .callMethodWhere(
                        target(name("choice")).and(target(owner(resideInAPackage("org.apache.camel.model..")))))
                .check(HOUSE);
    }

    @Test
    void routeBuildersLiveInRoutesAndSayWhatTheyAre() {
        classes()
                .that()
                .areAssignableTo(RouteBuilder.class)
                .should()
                .resideInAPackage("routes")
                .andShould()
                .haveNameMatching(".*Routes?")
                .check(HOUSE);
    }

    @Test
    void namesAreTheFieldsWords() {
        ArchRule rule = noClasses().should().haveNameMatching(".*(Utils?|Helper|Manager|Impl|Processor)");

        rule.check(HOUSE);
        rule.check(ITS_TESTS);
    }

    /** A node's clock may be an hour off: leases, waits and ages are the database's. */
    @Test
    void theNodesClockDecidesNothingAboutTodos() {
        noClasses()
                .that()
                .resideInAnyPackage("claims", "routes", "pgevent", "intake", "model")
                // received_at is a fact for rules before the row exists that has it from the database; a message of a
                // channel
                // has no time of its own for the window in which equal bodies are one delivery
                .and()
                .doNotHaveFullyQualifiedName("intake.Intake")
                .and()
                .doNotHaveFullyQualifiedName("routes.FetchDoor")
                .and()
                // how old a signature is, is asked at the door and never again
                .doNotHaveFullyQualifiedName("routes.Door")
                .should()
                .callMethodWhere(target(name("now")).and(target(owner(resideInAPackage("java.time")))))
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callConstructor(Date.class)
                .check(HOUSE);
    }

    @Test
    void noTestWaitsByTheClock() {
        noClasses()
                .should()
                .callMethodWhere(target(name("sleep")).and(target(owner(assignableTo(Thread.class)))))
                .check(ITS_TESTS);
    }

    @Test
    void namesOfDirectEndpointsAreConstants() {
        Pattern constant = Pattern.compile("static final String \\w+ = \"direct:[a-z-]+\";");

        assertThat(sources(MAIN).flatMap(ArchitectureTest::lines).filter(line -> line.contains("\"direct:")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).containsPattern(constant));
    }

    @Test
    void routeIdsAreKebabCase() {
        Pattern id = Pattern.compile("routeId\\(\"([^\"]*)\"\\)");

        assertThat(sources(MAIN)
                        .flatMap(ArchitectureTest::lines)
                        .flatMap(line -> id.matcher(line).results().map(found -> found.group(1))))
                .isNotEmpty()
                .allMatch(Pattern.compile("[a-z]+(-[a-z]+)*").asMatchPredicate());
    }

    @Test
    void everyPackageSaysWhatLivesThere() {
        Set<String> houseAndFixtures = new TreeSet<>(rooms());
        houseAndFixtures.add("fixtures");

        assertThat(houseAndFixtures)
                .allSatisfy(name -> assertThat(Stream.of(MAIN, TESTS))
                        .anyMatch(root -> Files.exists(root.resolve(name).resolve("package-info.java"))));
    }

    private static Stream<Path> sources(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
