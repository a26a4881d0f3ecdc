package adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import model.Family;
import model.Refusal;
import model.TrustMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verify.Request;

class AdaptersFileTest {

    private static final String THREE = """
            adapters:
              - name: github
                type: github
                secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
              - name: homelab
                type: generic
                token: literally
                max_body: 64KiB
                body_timeout: 500ms
                account: home
                todos:
                  - queue: chores
                  - queue: alarms
                  - queue: chores
              - name: orders
                type: route
                todos: []
            """;

    @Test
    void eachTypeBecomesAnAdapter() {
        Adapters adapters = parse(THREE, Map.of("GITHUB_WEBHOOK_SECRET", "s"));

        Adapter github = adapters.webhook("github").orElseThrow();
        assertThat(github.source()).isEqualTo("github");
        assertThat(github.family()).isEqualTo(Family.WEBHOOK);
        assertThat(github.trustMode()).isEqualTo(TrustMode.SIGNED);
        assertThat(github.maxBody()).isEqualTo(25L * 1024 * 1024);
        assertThat(github.bodyTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(github.account()).isEmpty();
        assertThat(github.offReason()).isEmpty();

        Adapter homelab = adapters.generic("homelab").orElseThrow();
        assertThat(homelab.source()).isEqualTo("generic:homelab");
        assertThat(homelab.trustMode()).isEqualTo(TrustMode.TOKEN);
        assertThat(homelab.maxBody()).isEqualTo(64 * 1024);
        assertThat(homelab.bodyTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(homelab.account()).contains("home");

        Adapter orders = adapters.named("orders").orElseThrow();
        assertThat(orders.source()).isEqualTo("route:orders");
        assertThat(orders.family()).isEqualTo(Family.QUEUE);
        assertThat(orders.trustMode()).isEqualTo(TrustMode.QUEUE);
        assertThat(orders.maxBody()).isEqualTo(1024 * 1024);
    }

    @Test
    void eachDoorFindsOnlyItsOwnAdapters() {
        Adapters adapters = parse(THREE, Map.of());

        assertThat(adapters.webhook("homelab")).isEmpty();
        assertThat(adapters.webhook("orders")).isEmpty();
        assertThat(adapters.generic("github")).isEmpty();
        assertThat(adapters.generic("nobody")).isEmpty();
        assertThat(adapters.all()).extracting(Adapter::name).containsExactly("github", "homelab", "orders");
        assertThat(Adapters.none().all()).isEmpty();
    }

    @Test
    void everyQueueThatRulesCanReachIsListedOnceWithItsAccount() {
        assertThat(parse(THREE, Map.of()).queues())
                .containsExactlyInAnyOrder(
                        new Adapters.Queue(Optional.empty(), "github"),
                        new Adapters.Queue(Optional.of("home"), "chores"),
                        new Adapters.Queue(Optional.of("home"), "alarms"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "github | secret: \"{{env:NOWHERE}}\" | NOWHERE is not set",
                "github | secret: \"{{ env:BLANK }}\" | BLANK is empty",
                "github | secret: \"\" | secret: is empty",
                "github | secret: | it has no secret:",
                "github | todos: [] | it has no secret:",
                "generic | token: \"{{env:NOWHERE}}\" | NOWHERE is not set",
                "generic | todos: [] | it has no token:"
            })
    void adapterWithoutItsSecretIsOffAndNeverOpen(String type, String line, String reason) {
        Adapters adapters =
                parse("adapters:\n  - name: a\n    type: %s\n    %s\n".formatted(type, line), Map.of("BLANK", " "));

        Adapter off = adapters.named("a").orElseThrow();
        assertThat(off.offReason()).contains(reason);
        Request request = new Request(
                "POST",
                "http://127.0.0.1/webhooks/it",
                Map.of("authorization", "Bearer  "),
                name -> "",
                new byte[0],
                Instant.EPOCH);
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> off.verifier().verify(request))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.NOT_FOUND));
    }

    @Test
    void openAdapterIsOpenOnlyWhereItIsSpeltOut() {
        Adapter open = parse("adapters: [{name: a, type: generic, trust: open}]", Map.of())
                .generic("a")
                .orElseThrow();

        assertThat(open.trustMode()).isEqualTo(TrustMode.OPEN);
        assertThat(open.offReason()).isEmpty();
        assertThat(problems("adapters: [{name: a, type: generic, trust: yes}]"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("known: open"));
        assertThat(problems("adapters: [{name: a, type: generic, trust: open, token: t}]"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("keep one of the two"));
    }

    /** Case 9, and style rule 7: all at once, each with its place and the nearest known name. */
    @Test
    void everythingThatIsWrongIsReportedAtOnceWithItsPlace() {
        InvalidAdapters invalid = invalid("""
                adaptors: 1
                adapters:
                  - name: github
                    type: githib
                  - name: Home Lab
                    type: generic
                    tokn: x
                    max_body: 1MB
                    todos:
                      - when: tpye == "x" &&
                        queue: "{payload.queue}"
                      - qeue: x
                        title: "{payload.n"
                        priority: high
                      - when: paylod.a == 1
                        queue: ok
                  - name: github
                    type: github
                    dedup: body
                    body_timeout: 1h
                    secret: "{{vault:secret/x}}"
                """);

        assertThat(invalid.problems())
                .extracting(problem -> problem.line() + " " + problem.path())
                .containsExactly(
                        "1 adaptors",
                        "4 adapters[0].type",
                        "5 adapters[1].name",
                        "7 adapters[1].tokn",
                        "8 adapters[1].max_body",
                        "10 adapters[1].todos[0].when",
                        "11 adapters[1].todos[0].queue",
                        "12 adapters[1].todos[1]",
                        "12 adapters[1].todos[1].qeue",
                        "13 adapters[1].todos[1].title",
                        "14 adapters[1].todos[1].priority",
                        "15 adapters[1].todos[2].when",
                        "19 adapters[2].dedup",
                        "20 adapters[2].body_timeout",
                        "21 adapters[2].secret");
        assertThat(invalid.getMessage())
                .startsWith("adapters.yaml has 15 problems:\n  line 1, column 1: adaptors: unknown key")
                .contains(
                        "unknown key \"adaptors\"; did you mean \"adapters\"?",
                        "\"githib\" is not known here; did you mean \"github\"? (known: github, gitea, forgejo, gitlab, bitbucket, stripe,",
                        "unknown key \"tokn\"; did you mean \"token\"?",
                        "\"1MB\" does not fit: largest body",
                        "a queue takes no {expressions}",
                        "the key \"queue\" is missing",
                        "unknown key \"qeue\"; did you mean \"queue\"?",
                        "the { at character 1 is never closed",
                        "\"high\" does not fit: higher first",
                        "\"paylod\" is not known to rules; did you mean \"payload\"?",
                        "\"body\" is not known here (known: id)",
                        "a reference is the whole value and reads {{env:NAME}} or {{file:PATH}}");
    }

    @Test
    void namesAreUniqueInTheFileWhateverTheTypeOrAccount() {
        assertThat(problems("""
                        adapters:
                          - {name: a, type: github, account: one}
                          - {name: a, type: generic, account: two}
                        """)).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(3);
            assertThat(problem.message()).contains("taken by the adapter in line 2");
        });
    }

    @Test
    void namesOfRulesAreUniqueInTheirAdapter() {
        assertThat(problems("""
                        adapters:
                          - name: a
                            type: route
                            todos:
                              - {name: x, queue: q}
                              - {name: x, queue: q}
                          - name: b
                            type: route
                            todos: [{name: x, queue: q}]
                        """))
                .singleElement()
                .satisfies(problem -> assertThat(problem.path()).isEqualTo("adapters[0].todos[1].name"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "a.b_c-d", "x1"})
    void namesOfTheAlphabetAreAccepted(String name) {
        assertThat(parse("adapters: [{name: \"%s\", type: route}]".formatted(name), Map.of())
                        .named(name))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "-a", ".a", "_a", "a b", "a/b", "a:b", "ä", "a\\n"})
    void namesBeyondTheAlphabetAreRefused(String name) {
        assertThat(problems("adapters: [{name: \"%s\", type: route}]".formatted(name)))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_internal", "a b", "{payload.q}", "a/b", "ü", "q\\n"})
    void queuesBeyondTheAlphabetAreRefused(String queue) {
        assertThat(problems("adapters: [{name: a, type: route, todos: [{queue: \"%s\"}]}]".formatted(queue)))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("_ is reserved"));
    }

    @Test
    void namesAndQueuesHaveAtMost128Characters() {
        String longest = "x".repeat(128);

        assertThat(parse(
                                "adapters: [{name: %s, type: route, todos: [{queue: %s}]}]".formatted(longest, longest),
                                Map.of())
                        .queues())
                .hasSize(1);
        assertThat(problems("adapters: [{name: %sx, type: route, todos: [{queue: %sx}]}]".formatted(longest, longest)))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1B, 1", "512KiB, 524288", "25MiB, 26214400", "64MiB, 67108864", "1 KiB, 1024"})
    void sizesAreBytesOrHaveAUnit(String written, long bytes) {
        assertThat(parse("adapters: [{name: a, type: route, max_body: %s}]".formatted(written), Map.of())
                        .named("a")
                        .orElseThrow()
                        .maxBody())
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "-1", "1.5", "65MiB", "67108865", "1mib", "1 GiB", "010", "999999999MiB", "''", "true"})
    void sizesOutOfBoundsAreRefused(String written) {
        assertThat(problems("adapters: [{name: a, type: route, max_body: %s}]".formatted(written)))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "10", "99ms", "11m", "1h", "-1s", "''"})
    void timesOutOfBoundsAreRefused(String written) {
        assertThat(problems("adapters: [{name: a, type: github, body_timeout: %s}]".formatted(written)))
                .hasSize(1);
    }

    @Test
    void atMostAHundredRules() {
        String rule = "{queue: q},";

        assertThat(parse("adapters: [{name: a, type: route, todos: [%s]}]".formatted(rule.repeat(100)), Map.of())
                        .all())
                .hasSize(1);
        assertThat(problems("adapters: [{name: a, type: route, todos: [%s]}]".formatted(rule.repeat(101))))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("at most 100 rules"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret: {{env:HUSH_HUSH}}",
                "secret: [{value: HUSH_HUSH, id: x y}]",
                "secret: [[HUSH_HUSH]]",
                "secret: [HUSH_HUSH, {value: [HUSH_HUSH]}]",
                "secret: ['HUSH_HUSH {{env:X}}']",
                "secret: HUSH_HUSH: x",
                "secret: \"HUSH_HUSH",
                "secret: \"HUSH_HUSH {{env:X}}\"",
                "secret: 'HUSH_HUSH\n\t\u0007'",
                "secret: !HUSH HUSH_HUSH",
                "max_body: 0\n    secret: HUSH_HUSH",
                "todos: [{queue: q, secret:HUSH_HUSH}]",
                "todos: [{queue: q, secret:HUSH_HUSH, secret:HUSH_HUSH}]"
            })
    void noProblemQuotesASecret(String line) {
        InvalidAdapters invalid = invalid("adapters:\n  - name: a\n    type: github\n    " + line + "\n");

        assertThat(invalid.getMessage()).doesNotContain("HUSH_HUSH");
    }

    @Test
    void unquotedReferenceIsExplained() {
        assertThat(problems("adapters:\n  - name: a\n    type: github\n    secret: {{env:X}}\n"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).endsWith("Put the value in double quotes"));
    }

    @Test
    void adapterPrintsNoSecret() {
        Adapters adapters = parse(THREE, Map.of("GITHUB_WEBHOOK_SECRET", "hush-hush"));

        assertThat(adapters.all().toString()).doesNotContain("hush-hush").doesNotContain("literally");
        assertThat(SecretEntry.of("hush-hush").toString()).doesNotContain("hush-hush");
        assertThat(verify.Secret.of("hush-hush").toString()).doesNotContain("hush-hush");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'adapters: [' | 1",
                "'adapters:\n\t- x' | 2",
                "'a: 1\n---\nb: 2' | 2",
                "'adapters: *nowhere' | 1",
                "'adapters:\n  - {name: a, name: b, type: route}' | 2",
                "'adapters: !java.lang.Object []' | 1"
            })
    void whatIsNoYamlIsReportedWithItsLine(String yaml, int line) {
        assertThat(problems(yaml))
                .first()
                .satisfies(problem -> assertThat(problem.line()).isEqualTo(line));
    }

    @Test
    void aliasesThatUnfoldWithoutEndAreRefused() {
        StringBuilder yaml = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 20; i++) {
            yaml.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }

        assertThat(problems(yaml.toString()))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("once aliases are unfolded"));
        assertThat(problems("adapters: &a [*a]"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("once aliases are unfolded"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"adapters:", "adapters: []", "# nothing yet\nadapters:\n  # - name: github\n"})
    void fileWithoutAdaptersIsFine(String yaml) {
        assertThat(parse(yaml, Map.of()).all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# only a comment\n", "[]", "text", "adapters: {}", "adapters: [1]"})
    void fileOfAnotherShapeIsRefused(String yaml) {
        assertThat(problems(yaml)).isNotEmpty();
    }

    @Test
    void todosWithoutAValueIsNoSilentChoice() {
        assertThat(problems("adapters:\n  - name: a\n    type: route\n    todos:\n"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("[] stores the event only"));
    }

    @Test
    void fileThatCannotBeReadIsExplained(@TempDir Path folder) throws Exception {
        Path latin1 = Files.write(folder.resolve("latin1.yaml"), "# ü".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(loadProblem(folder.resolve("adapters.yaml")))
                .contains("no such file")
                .contains("SWITCHBOARD_ADAPTERS");
        assertThat(loadProblem(latin1)).contains("not UTF-8");
        assertThat(loadProblem(folder)).contains("cannot be read");
    }

    @Test
    void sampleFileIsValidAndOffUntilItsSecretsAreSet() {
        Adapters without = AdaptersFile.load(Path.of("adapters.yaml"), name -> null);
        Adapters with = AdaptersFile.load(Path.of("adapters.yaml"), name -> "set");

        assertThat(without.webhook("github").orElseThrow().offReason()).contains("GITHUB_WEBHOOK_SECRET is not set");
        assertThat(without.generic("homelab").orElseThrow().offReason()).contains("HOMELAB_TOKEN is not set");
        assertThat(without.named("orders").orElseThrow().offReason()).isEmpty();
        assertThat(with.all()).extracting(Adapter::offReason).containsOnly(Optional.empty());
    }

    /** Whatever the file holds, the answer is adapters or problems. */
    @Test
    void garbledFileIsReportedAndNothingElse() {
        Random random = new Random(1);
        String alphabet = "{}[]:,-\"'#&*!|>%@ \n\tax0\u0000\uD83D";
        int refused = 0;
        for (int round = 0; round < 500; round++) {
            StringBuilder yaml = new StringBuilder(THREE);
            for (int edits = random.nextInt(4) + 1; edits > 0; edits--) {
                int at = random.nextInt(yaml.length());
                char other = alphabet.charAt(random.nextInt(alphabet.length()));
                switch (random.nextInt(3)) {
                    case 0 -> yaml.deleteCharAt(at);
                    case 1 -> yaml.insert(at, other);
                    default -> yaml.setCharAt(at, other);
                }
            }
            try {
                assertThat(parse(yaml.toString(), Map.of()).all()).isNotNull();
            } catch (InvalidAdapters e) {
                refused++;
                assertThat(e.problems()).isNotEmpty();
            }
        }
        assertThat(refused).isBetween(50, 499);
    }

    private static String loadProblem(Path file) {
        return catchThrowableOfType(InvalidAdapters.class, () -> AdaptersFile.load(file, name -> null))
                .getMessage();
    }

    private static Adapters parse(String yaml, Map<String, String> environment) {
        return AdaptersFile.parse("adapters.yaml", yaml, environment::get);
    }

    private static List<Problem> problems(String yaml) {
        return invalid(yaml).problems();
    }

    private static InvalidAdapters invalid(String yaml) {
        return catchThrowableOfType(InvalidAdapters.class, () -> parse(yaml, Map.of()));
    }
}
