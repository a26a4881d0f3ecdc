package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.Optional;
import model.TodoDraft;
import verify.Text;

/** One rule, compiled: when it matches, a delivery makes one todo. */
final class Rule {

    private static final int MAX_TITLE_CODE_POINTS = 300;
    private static final int MAX_KIND_CODE_POINTS = 64;

    private final String label;
    private final RuleEntry entry;
    private final Expression when;
    private final Template title;
    private final Template key;

    private Rule(String label, RuleEntry entry, Expression when, Template title, Template key) {
        this.label = label;
        this.entry = entry;
        this.when = when;
        this.title = title;
        this.key = key;
    }

    /**
     * @param number the rule's number in its adapter, from 1
     * @param problems gets what does not compile; the rule is then of no use
     */
    static Rule read(RuleEntry entry, int number, JsonPointer place, Problems problems) {
        String label = entry.name() == null ? String.valueOf(number) : entry.name();
        return new Rule(
                label,
                entry,
                compiled(entry.when(), Expression::condition, place.appendProperty("when"), problems),
                compiled(entry.title(), Template::compile, place.appendProperty("title"), problems),
                compiled(entry.key(), Template::compile, place.appendProperty("key"), problems));
    }

    private interface Compilation<T> {
        T of(String source) throws Uncompilable;
    }

    private static <T> T compiled(String source, Compilation<T> compilation, JsonPointer place, Problems problems) {
        try {
            return source == null ? null : compilation.of(source);
        } catch (Uncompilable e) {
            problems.add(place, e.getMessage());
            return null;
        }
    }

    /** The rule's name, or its number: part of default keys and of the trace. */
    String label() {
        return label;
    }

    String queue() {
        return entry.queue();
    }

    /** Whether the rules after this one are passed over once it matched. */
    boolean stops() {
        return Boolean.TRUE.equals(entry.stop());
    }

    /** The todo that the delivery makes by this rule, or empty when the rule does not match. */
    Optional<TodoDraft> draft(Evaluation evaluation) throws Fault {
        if (!matches(evaluation)) {
            return Optional.empty();
        }
        return Optional.of(new TodoDraft(
                entry.queue(),
                kind(evaluation.facts()),
                title(evaluation),
                key(evaluation),
                entry.priority() == null ? 0 : entry.priority(),
                entry.assignee(),
                entry.maxAttempts()));
    }

    /** A missing field makes a condition false, and so does null. */
    private boolean matches(Evaluation evaluation) throws Fault {
        if (when == null) {
            return true;
        }
        Optional<Object> value = when.value(evaluation);
        if (value.isEmpty()) {
            return false;
        }
        if (value.get() instanceof Boolean decided) {
            return decided;
        }
        throw new Fault("not_a_condition");
    }

    private String kind(Facts facts) {
        return Text.line(entry.kind() == null ? facts.type() : entry.kind(), MAX_KIND_CODE_POINTS);
    }

    private String title(Evaluation evaluation) throws Fault {
        Facts facts = evaluation.facts();
        String otherwise = facts.type() == null ? facts.source() : facts.source() + " " + facts.type();
        return Text.line(title == null ? otherwise : title.fill(evaluation), MAX_TITLE_CODE_POINTS);
    }

    /** Null never deduplicates. A delivery without an identity, or without a field that its key needs, has no key. */
    private String key(Evaluation evaluation) throws Fault {
        if (key != null) {
            return key.fillWhole(evaluation).map(Text::externalId).orElse(null);
        }
        Facts facts = evaluation.facts();
        return facts.externalId() == null
                ? null
                : Text.externalId(facts.source() + ":" + facts.externalId() + "#" + label);
    }
}
