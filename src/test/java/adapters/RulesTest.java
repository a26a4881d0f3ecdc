package adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import model.Disposition;
import model.Family;
import model.TodoDraft;
import model.TrustMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {

    private static final String PULL_REQUEST = """
            {"action": "opened", "number": 42, "ratio": 3.5, "whole": 3.0, "big": 123456789012345678901234567890,
             "draft": false, "nothing": null, "labels": [{"name": "bug"}, {"name": "p1"}], "empty": "",
             "repository": {"full_name": "octo/hello"}, "nul": "a\\u0000b", "rocket": "🚀"}
            """;

    @Test
    void withoutTodosEveryDeliveryMakesOneTodoOnTheQueueOfTheAdapter() {
        Outcome outcome =
                rules("homelab", "generic", null).apply(delivery("backup", "7").facts());

        assertThat(outcome.disposition()).isEqualTo(Disposition.ROUTED);
        assertThat(outcome.todos())
                .containsExactly(
                        new TodoDraft("homelab", "backup", "github backup", "github:7#default", 0, null, null));
    }

    /** Case 23. */
    @Test
    void pingOfGitHubMakesNoTodoUnlessARuleSaysSo() {
        Delivery ping = delivery("ping", "7");

        assertThat(rules("github", "github", null).apply(ping.facts()).todos()).isEmpty();
        assertThat(rules("github", "github", null).apply(ping.facts()).disposition())
                .isEqualTo(Disposition.STORED);
        assertThat(rules("github", "github", null)
                        .apply(delivery("push", "8").facts())
                        .todos())
                .hasSize(1);
        assertThat(rules("homelab", "generic", null).apply(ping.facts()).todos())
                .as("only providers have pings")
                .hasSize(1);
        assertThat(apply("- {queue: q}", ping).todos()).hasSize(1);
    }

    @Test
    void emptyListOfTodosStoresTheEventOnly() {
        Outcome outcome =
                rules("github", "github", "[]").apply(delivery("push", "7").facts());

        assertThat(outcome.todos()).isEmpty();
        assertThat(outcome.disposition()).isEqualTo(Disposition.STORED);
    }

    @Test
    void ruleFillsEveryFieldOfItsTodo() {
        Outcome outcome = apply("""
                - name: review
                  when: type == "pull_request" && payload.action == "opened"
                  queue: reviews
                  kind: review
                  title: "Review {payload.repository.full_name}#{payload.number}"
                  key: "pr-{payload.number}"
                  priority: 5
                  max_attempts: 3
                  assignee: ada
                """, delivery("pull_request", "7"));

        assertThat(outcome.todos())
                .containsExactly(new TodoDraft("reviews", "review", "Review octo/hello#42", "pr-42", 5, "ada", 3));
        assertThat(outcome.traceJson()).isEqualTo("{\"matched\":[\"review\"],\"payload\":\"json\"}");
    }

    @Test
    void everyRuleThatMatchesMakesATodoUntilOneStops() {
        Outcome outcome = apply("""
                - {queue: a}
                - {queue: b, when: type == "other"}
                - {queue: c, when: "true", stop: true}
                - {queue: d}
                """, delivery("push", "7"));

        assertThat(outcome.todos()).extracting(TodoDraft::queue).containsExactly("a", "c");
        assertThat(outcome.todos()).extracting(TodoDraft::key).containsExactly("github:7#1", "github:7#3");
        assertThat(outcome.traceJson()).isEqualTo("{\"matched\":[\"1\",\"3\"],\"stopped\":\"3\"}");
    }

    @Test
    void conditionMayBeATruthValueOfYaml() {
        assertThat(apply("- {queue: a, when: true}\n- {queue: b, when: false}", delivery("push", "7"))
                        .todos())
                .extracting(TodoDraft::queue)
                .containsExactly("a");
    }

    @Test
    void rulesGiveTheSameAnswerOnEveryThread() {
        Rules rules =
                rules("github", "github", "[{queue: q, when: payload.number > 0, title: \"{payload.number} {type}\"}]");

        List<String> titles = IntStream.range(0, 5_000)
                .parallel()
                .mapToObj(i -> rules.apply(delivery("push", "7")
                        .body("{\"number\": " + (i + 1) + "}")
                        .facts()))
                .map(outcome -> outcome.todos().get(0).title())
                .toList();

        assertThat(titles).hasSize(5_000).element(4_711).isEqualTo("4712 push");
        assertThat(titles).doesNotHaveDuplicates();
    }

    @Test
    void factsAreThoseOfTheDelivery() {
        model.Delivery delivery = new model.Delivery(
                1,
                "homelab",
                "generic:homelab",
                Family.WEBHOOK,
                TrustMode.TOKEN,
                false,
                "X-Switchboard-Token",
                "backup",
                "7",
                "application/json",
                Map.of("x-a", "b"),
                "{\"ok\": true}".getBytes(StandardCharsets.UTF_8),
                "127.0.0.1",
                null,
                null);
        String condition = "source == \"generic:homelab\" && type == \"backup\" && trust_mode == \"token\" && !verified"
                + " && size == 12 && received_at == timestamp(\"2026-03-01T12:00:00Z\") && headers[\"x-a\"] == \"b\""
                + " && payload.ok";

        Outcome outcome = rules("homelab", "generic", yaml(Map.of("queue", "q", "when", condition)))
                .apply(Facts.of(delivery, Instant.parse("2026-03-01T12:00:00Z")));

        assertThat(outcome.todos()).extracting(TodoDraft::key).containsExactly("generic:homelab:7#1");
    }

    @Test
    void stopOfARuleThatDoesNotMatchStopsNothing() {
        assertThat(apply("- {queue: a, when: \"false\", stop: true}\n- {queue: b}", delivery("push", "7"))
                        .todos())
                .extracting(TodoDraft::queue)
                .containsExactly("b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "type == 'pull_request' ; true",
                "source == 'github' && trust_mode == 'signed' && verified ; true",
                "size > 10 && size < 1000 ; true",
                "received_at > timestamp('2026-01-01T00:00:00Z') ; true",
                "received_at.getFullYear() == 2026 ; true",
                "headers['x-github-event'] == 'pull_request' ; true",
                "headers['x-absent'] == 'x' ; false",
                "'x-github-event' in headers ; true",
                "payload.number == 42 ; true",
                "payload.number > 41.5 ; true",
                "payload.ratio > 3 ; true",
                "payload.whole == 3 ; true",
                "payload.big > 1e29 ; true",
                "payload.nothing == null ; true",
                "payload.draft ; false",
                "!payload.draft ; true",
                "payload.labels.exists(l, l.name == 'bug') ; true",
                "payload.labels.all(l, l.name.startsWith('p')) ; false",
                "payload.labels.map(l, l.name).join('+') == 'bug+p1' ; true",
                "payload.repository.full_name.matches('^octo/') ; true",
                "payload.repository.full_name.split('/')[1].upperAscii() == 'HELLO' ; true",
                "payload.missing == 'x' ; false",
                "!(payload.missing == 'x') ; false",
                "payload.missing.deeper.still == 'x' ; false",
                "payload.action.deeper == 'x' ; false",
                "payload.nothing.deeper == 'x' ; false",
                "payload.labels[7].name == 'x' ; false",
                "payload.nothing ; false",
                "has(payload.action) ; true",
                "has(payload.missing) ; false",
                "!has(payload.missing) ; true",
                "has(payload.missing) && payload.missing == 'x' || payload.number == 42 ; true",
                "payload.missing == 'x' || payload.number == 42 ; true",
                "payload.?missing.orValue('none') == 'none' ; true",
                "payload.?missing.?deeper.orValue('none') == 'none' ; true"
            })
    void conditionDecides(String condition, boolean expected) {
        Outcome outcome = apply(rule(condition), delivery("pull_request", "7"));

        assertThat(outcome.disposition()).isEqualTo(expected ? Disposition.ROUTED : Disposition.STORED);
        assertThat(outcome.traceJson()).doesNotContain("faults");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "payload.number / 0 == 1 | divide_by_zero",
                "payload.number % (payload.number - 42) == 0 | divide_by_zero",
                "payload.action > 3 | overload_not_found",
                "payload.number.startsWith('4') | overload_not_found",
                "payload.action | not_a_condition",
                "int(payload.action) == 1 | bad_format",
                "payload.action.matches(payload.repository.full_name + '(') | invalid_argument",
                "payload.number * 9223372036854775807 > 0 | numeric_overflow"
            })
    void whatCannotBeWorkedOutMakesTheEventFaultedAndNoTodo(String condition, String code) {
        Outcome outcome = apply(rule(condition) + "\n- {name: healthy, queue: other}", delivery("pull_request", "7"));

        assertThat(outcome.disposition()).isEqualTo(Disposition.FAULTED);
        assertThat(outcome.todos())
                .as("the others still run")
                .extracting(TodoDraft::queue)
                .containsExactly("other");
        assertThat(outcome.traceJson())
                .contains("\"matched\":[\"healthy\"]", "{\"rule\":\"1\",\"code\":\"" + code + "\"}");
    }

    @Test
    void faultInATitleMakesNoTodoEither() {
        Outcome outcome = apply("- {queue: q, title: \"{payload.labels}\"}", delivery("pull_request", "7"));

        assertThat(outcome.disposition()).isEqualTo(Disposition.FAULTED);
        assertThat(outcome.todos()).isEmpty();
        assertThat(outcome.traceJson()).contains("not_text");
    }

    @Test
    void nestedComprehensionsStopAtTheirBudget() {
        String many = "[" + "1,".repeat(500) + "1]";
        Delivery delivery = delivery("push", "7").body("{\"n\": " + many + "}");

        Outcome outcome = apply(rule("payload.n.all(a, payload.n.all(b, payload.n.all(c, a + b + c > 0)))"), delivery);

        assertThat(outcome.disposition()).isEqualTo(Disposition.FAULTED);
        assertThat(outcome.traceJson()).contains("iteration_budget_exceeded");
    }

    @Test
    void patternOfASenderCannotBlowUp() {
        Delivery delivery = delivery("push", "7").body("{\"p\": \"(x{100}){100}\"}");

        assertThat(apply(rule("type.matches(payload.p)"), delivery).traceJson()).contains("invalid_argument");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{payload.number} | 42",
                "{payload.ratio}, {payload.whole}, {payload.draft} | 3.5, 3, false",
                "[{payload.missing}{payload.nothing}{payload.?missing}{headers['x']}] | []",
                "{payload.labels.map(l, l.name).join(', ')} | bug, p1",
                "{{literally}} {type} | {literally} pull_request",
                "{ {'a': '}'}.a } | }",
                "{'\\'}'} | '}",
                "{size(payload.labels)} labels | 2 labels",
                "{received_at} | 2026-03-01T12:00:00Z",
                "{payload.nul} {payload.rocket} | a b 🚀",
                "{payload.number == 42 ? 'yes' : 'no'} | yes"
            })
    void titleIsFilledIn(String title, String expected) {
        Outcome outcome = apply(Map.of("queue", "q", "title", title), delivery("pull_request", "7"));

        assertThat(outcome.todos()).extracting(TodoDraft::title).containsExactly(expected);
    }

    @Test
    void titleOfAnySizeIsCutTo300CodePoints() {
        Delivery delivery = delivery("push", "7").body("{\"t\": \"" + "🚀".repeat(100_000) + "\"}");

        assertThat(apply("- {queue: q, title: \"{payload.t}{payload.t}\"}", delivery)
                        .todos())
                .singleElement()
                .satisfies(todo -> assertThat(todo.title()).isEqualTo("🚀".repeat(299) + "…"));
    }

    @Test
    void titleOfNothingIsNone() {
        assertThat(apply("- {queue: q, title: \"{payload.missing}\"}", delivery("push", "7"))
                        .todos())
                .singleElement()
                .satisfies(todo -> assertThat(todo.title()).isNull());
    }

    @Test
    void kindOfALongTypeIsCut() {
        assertThat(apply("- {queue: q}", delivery("x".repeat(100), "7")).todos())
                .singleElement()
                .satisfies(todo -> assertThat(todo.kind()).hasSize(64));
    }

    @Test
    void deliveryWithoutIdentityHasNoDefaultKey() {
        assertThat(apply("- {queue: q}", delivery("push", null)).todos())
                .singleElement()
                .satisfies(todo -> assertThat(todo.key()).isNull());
    }

    @Test
    void namedRuleKeepsItsKeyWhenRulesAreReordered() {
        assertThat(apply("- {queue: q}\n- {queue: r, name: review}", delivery("push", "7"))
                        .todos())
                .extracting(TodoDraft::key)
                .containsExactly("github:7#1", "github:7#review");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pr-{payload.missing}", "pr-{payload.nothing}", "pr-{payload.?missing}", "{payload.empty}"})
    void keyThatLacksAPartIsNoneBecauseStrangersWouldShareIt(String key) {
        Outcome outcome = apply(Map.of("queue", "q", "key", key), delivery("pull_request", "7"));

        assertThat(outcome.todos())
                .singleElement()
                .satisfies(todo -> assertThat(todo.key()).isNull());
        assertThat(outcome.disposition()).isEqualTo(Disposition.ROUTED);
    }

    /** Case 65g. */
    @Test
    void longKeysThatDifferAtTheEndStayTwo() {
        String shared = "x".repeat(255);
        List<String> keys = List.of("1", "2").stream()
                .map(end ->
                        apply("- {queue: q}", delivery("push", shared + end)).todos())
                .map(todos -> todos.get(0).key())
                .toList();

        assertThat(keys).allMatch(key -> key.startsWith("sha256:")).doesNotHaveDuplicates();
    }

    /** Case 1. */
    @Test
    void payloadFieldOfAFormIsDecoded() {
        Delivery form = delivery("push", "7")
                .contentType("application/x-www-form-urlencoded; charset=utf-8")
                .body("payload=%7B%22action%22%3A%22opened%22%7D&x=1");

        Outcome outcome = apply(rule("payload.action == 'opened'"), form);

        assertThat(outcome.disposition()).isEqualTo(Disposition.ROUTED);
        assertThat(outcome.traceJson()).contains("\"payload\":\"form\"");
    }

    @Test
    void fieldsOfAFormAreThePayloadWhenNoneIsCalledSo() {
        Delivery form = delivery("command", "7")
                .contentType("application/x-www-form-urlencoded")
                .body("command=%2Fdeploy&tag=a&tag=b&flag");

        String condition = "payload.command == '/deploy' && payload.tag == ['a', 'b'] && payload.flag == ''";
        assertThat(apply(rule(condition), form).disposition()).isEqualTo(Disposition.ROUTED);
    }

    @Test
    void jsonUnderTheNameOfAFormIsStillJson() {
        Delivery curl = delivery("x", "7")
                .contentType("application/x-www-form-urlencoded")
                .body("{\"a\": \"100% & more\"}");

        assertThat(apply(rule("payload.a == '100% & more'"), curl).disposition())
                .isEqualTo(Disposition.ROUTED);
    }

    /** Case 15, and hostile bodies: no JSON, no fault. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "not json",
                "{\"a\": 1",
                "{\"a\": 1} x",
                "{'a': 1}",
                "NaN",
                "\u0000",
                "{\"a\": 01}",
                "a=%zz",
                "{\"a\": \"\n\"}"
            })
    void bodyThatIsNoJsonIsAnAbsentPayloadAndNoFault(String body) {
        String rules = """
                - {queue: a, when: payload == null}
                - {queue: b, when: payload.a == 1}
                - {queue: c, when: "!has(payload.a)"}
                - {queue: d, when: "payload.?a.orValue(2) == 2"}
                - {queue: e, when: "'a' in payload || size(payload) > 0"}
                - {queue: f, when: type == "push", title: "x{payload.a}"}
                """;
        for (String contentType : new String[] {"application/json; charset=bogus", null}) {
            Outcome outcome =
                    apply(rules, delivery("push", "7").contentType(contentType).body(body));

            assertThat(outcome.todos()).extracting(TodoDraft::queue).as(body).containsExactly("a", "d", "f");
            assertThat(outcome.todos().get(2).title()).isEqualTo("x");
            assertThat(outcome.disposition()).isEqualTo(Disposition.ROUTED);
            assertThat(outcome.traceJson()).contains("\"payload\":\"absent\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a=%zz", "{\"a\": 1"})
    void formThatCannotBeDecodedIsAnAbsentPayload(String body) {
        Delivery form = delivery("push", "7")
                .contentType("application/x-www-form-urlencoded")
                .body(body);

        assertThat(apply(rule("payload == null"), form).disposition()).isEqualTo(Disposition.ROUTED);
    }

    @Test
    void formOfTooManyFieldsIsAnAbsentPayload() {
        Delivery form = delivery("push", "7").contentType("application/x-www-form-urlencoded");

        assertThat(apply(rule("size(payload) == 1000"), form.body(fields(1_000)))
                        .disposition())
                .isEqualTo(Disposition.ROUTED);
        assertThat(apply(rule("payload == null"), form.body(fields(1_001))).disposition())
                .isEqualTo(Disposition.ROUTED);
    }

    private static String fields(int count) {
        return IntStream.range(0, count).mapToObj(i -> "f" + i + "=x").collect(Collectors.joining("&"));
    }

    @Test
    void absentPayloadExcusesOnlyTheRulesThatReadIt() {
        Outcome outcome = apply("""
                - {queue: a, when: size(payload) > 0}
                - {queue: b, when: size / (size - 4) > 0}
                """, delivery("push", "7").body("text"));

        assertThat(outcome.disposition()).isEqualTo(Disposition.FAULTED);
        assertThat(outcome.traceJson())
                .isEqualTo("{\"matched\":[],\"faults\":[{\"rule\":\"2\",\"code\":\"divide_by_zero\"}],"
                        + "\"payload\":\"absent\"}");
    }

    @Test
    void hostileJsonIsAnAbsentPayload() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        String longNumber = "{\"a\": 1" + "0".repeat(100_000) + "}";
        String hugeExponent = "{\"a\": 1e1000000000}";

        assertThat(apply(rule("payload == null"), delivery("x", "7").body(deep)).disposition())
                .isEqualTo(Disposition.ROUTED);
        assertThat(apply(rule("payload == null"), delivery("x", "7").body(longNumber))
                        .disposition())
                .isEqualTo(Disposition.ROUTED);
        assertThat(apply(rule("payload.a > 1.0"), delivery("x", "7").body(hugeExponent))
                        .disposition())
                .isEqualTo(Disposition.ROUTED);
    }

    @Test
    void bodyOverTheLimitIsNotParsedForRules() {
        Rules rules = rules(
                "github",
                "github",
                "[{queue: q, when: payload.a == 1}, {queue: r, when: size > 0}]\n    rule_max_body: 8");

        assertThat(rules.apply(delivery("x", "7").body("{\"a\":1} ").facts()).todos())
                .hasSize(2);
        Outcome outcome = rules.apply(delivery("x", "7").body("{\"a\":1}  ").facts());
        assertThat(outcome.todos()).extracting(TodoDraft::queue).containsExactly("r");
        assertThat(outcome.traceJson()).contains("\"payload\":\"too_large\"");
    }

    @Test
    void bodyIsNotParsedWhenNoRuleThatIsReachedAsksForIt() {
        Delivery push = delivery("push", "7");

        assertThat(apply("- {queue: q}", push).traceJson()).doesNotContain("payload");
        assertThat(apply(rule("type == 'pull_request' && payload.action == 'opened'"), push)
                        .traceJson())
                .doesNotContain("payload");
        assertThat(rules("homelab", "generic", null).apply(push.facts()).traceJson())
                .isEqualTo("{\"matched\":[\"default\"]}");
    }

    @Test
    void typeOfASenderThatGivesNoneIsEmptyText() {
        assertThat(apply(rule("type == '' && !type.startsWith('x')"), delivery(null, "7"))
                        .todos())
                .singleElement()
                .satisfies(todo -> {
                    assertThat(todo.kind()).isNull();
                    assertThat(todo.title()).isEqualTo("github");
                });
    }

    @Test
    void traceIsBoundedAndHoldsNothingOfThePayload() {
        String faulting = "- {name: %s, queue: q, when: int(payload.secret) == 1}\n";
        StringBuilder rules = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            rules.append(faulting.formatted(("r" + i + "x".repeat(64)).substring(0, 64)));
        }

        String trace = apply(rules.toString(), delivery("x", "7").body("{\"secret\": \"hush-hush\"}"))
                .traceJson();

        assertThat(trace).doesNotContain("hush").hasSizeLessThan(16 * 1024);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "when | paylod.a == 1 | did you mean \"payload\"?",
                "when | header['x'] == 'y' | did you mean \"headers\"?",
                "when | type + 1 | no matching overload",
                "when | type | this is of type string where a condition is true or false",
                "when | payload.?a | this is of type optional_type where",
                "when | 1 + | mismatched input",
                "when | payload.a.matches('(') | Regex validation failed",
                "when | received_at > timestamp('yesterday') | timestamp",
                "title | {payload.a.map(x, x)} | join(",
                "title | {} | in the braces at character 1",
                "title | } | closes nothing",
                "title | {payload.a | is never closed",
                "key | {payload.a + } | mismatched input"
            })
    void expressionThatCannotWorkIsAProblemAtStart(String key, String expression, String message) {
        Map<String, String> rule = new LinkedHashMap<>(Map.of("queue", "q"));
        rule.put(key, expression);

        InvalidAdapters invalid =
                catchThrowableOfType(InvalidAdapters.class, () -> rules("github", "github", yaml(rule)));

        assertThat(invalid.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.path()).isEqualTo("adapters[0].todos[0]." + key);
            assertThat(problem.message()).contains(message);
        });
    }

    @Test
    void rulesOfTheSampleFileDoWhatTheySay() throws Exception {
        Adapters sample = AdaptersFile.load(Path.of("adapters.yaml"), name -> "set");
        Rules github = sample.named("github").orElseThrow().rules();
        Delivery opened = delivery("pull_request", "7")
                .body("{\"action\":\"opened\",\"number\":3,\"repository\":{\"full_name\":\"o/r\"},"
                        + "\"pull_request\":{\"draft\":false,\"title\":\"Fix\"}}");

        assertThat(github.apply(opened.facts()).todos())
                .extracting(TodoDraft::queue, TodoDraft::title)
                .containsExactly(tuple("reviews", "Review o/r#3: Fix"));
        assertThat(github.apply(opened.body("{\"action\":\"closed\"}").facts()).disposition())
                .isEqualTo(Disposition.STORED);
        assertThat(sample.named("orders")
                        .orElseThrow()
                        .rules()
                        .apply(delivery(null, "1").body("<xml/>").facts())
                        .todos())
                .extracting(TodoDraft::title)
                .containsExactly("Order without a number");
        assertThat(Files.readString(Path.of("adapters.yaml"))).contains("yaml-language-server");
    }

    private static Outcome apply(String rules, Delivery delivery) {
        String list = rules.indent(6);
        return rules("github", "github", "\n" + list).apply(delivery.facts());
    }

    private static Outcome apply(Map<String, String> rule, Delivery delivery) {
        return rules("github", "github", yaml(rule)).apply(delivery.facts());
    }

    private static Rules rules(String name, String type, String todos) {
        String yaml = "adapters:\n  - name: %s\n    type: %s\n".formatted(name, type);
        String list = todos == null ? "" : "    todos: " + todos + "\n";
        return AdaptersFile.parse("adapters.yaml", yaml + list, unset -> null)
                .named(name)
                .orElseThrow()
                .rules();
    }

    private static String rule(String condition) {
        return "- queue: q\n  when: " + quoted(condition);
    }

    private static String yaml(Map<String, String> rule) {
        return rule.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + quoted(entry.getValue()))
                .collect(Collectors.joining(", ", "[{", "}]"));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static Delivery delivery(String type, String externalId) {
        return new Delivery(type, externalId, "application/json", PULL_REQUEST);
    }

    /** A delivery as rules see it. */
    private record Delivery(String type, String externalId, String contentType, String body) {

        Delivery body(String other) {
            return new Delivery(type, externalId, contentType, other);
        }

        Delivery contentType(String other) {
            return new Delivery(type, externalId, other, body);
        }

        Facts facts() {
            return new Facts(
                    "github",
                    type,
                    TrustMode.SIGNED,
                    true,
                    Instant.parse("2026-03-01T12:00:00Z"),
                    externalId,
                    contentType,
                    Map.of("x-github-event", "pull_request"),
                    body.getBytes(StandardCharsets.UTF_8));
        }
    }
}
