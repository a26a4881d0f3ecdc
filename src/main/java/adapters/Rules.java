package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import model.Disposition;
import model.TodoDraft;

/**
 * What becomes of an adapter's deliveries. A pure function, safe on any thread: each rule that matches makes one
 * todo, one that faults makes none and marks the event, and the others run all the same.
 */
public final class Rules {

    private final List<Rule> rules;
    private final long ruleMaxBody;
    private final Redact redact;

    private Rules(List<Rule> rules, long ruleMaxBody, Redact redact) {
        this.rules = List.copyOf(rules);
        this.ruleMaxBody = ruleMaxBody;
        this.redact = redact;
    }

    /** The same rules, which see a body without these places: what is hidden gets into no title and no key. */
    Rules without(Redact hidden) {
        return new Rules(rules, ruleMaxBody, hidden);
    }

    /** The rules as adapters.yaml writes them; what is wrong with them goes to {@code problems}. */
    static Rules read(List<RuleEntry> entries, long ruleMaxBody, JsonPointer place, Problems problems) {
        List<Rule> rules = new ArrayList<>();
        Map<String, JsonPointer> names = new HashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            RuleEntry entry = entries.get(i);
            if (entry == null) {
                // a hole that the schema's check left
                continue;
            }
            JsonPointer item = place.appendIndex(i);
            rules.add(Rule.read(entry, i + 1, item, problems));

            JsonPointer first =
                    entry.name() == null ? null : names.putIfAbsent(entry.name(), item.appendProperty("name"));
            if (first != null) {
                problems.add(
                        item.appendProperty("name"),
                        "the name \"%s\" is taken by the rule in line %d; names are unique in the adapter"
                                .formatted(entry.name(), problems.line(first)));
            }
        }
        return new Rules(rules, ruleMaxBody, Redact.NONE);
    }

    /** One todo per delivery that meets the condition, on one queue. */
    static Rules byDefault(String queue, String condition, long ruleMaxBody) {
        Problems none = new Problems();
        Rule rule = Rule.read(RuleEntry.byDefault(queue, condition), 1, JsonPointer.empty(), none);
        if (!none.isEmpty()) {
            throw new IllegalStateException("the default rule does not compile: " + condition);
        }
        return new Rules(List.of(rule), ruleMaxBody, Redact.NONE);
    }

    /** The queues that these rules can reach, each once, in the order of the rules. */
    public List<String> queues() {
        return rules.stream().map(Rule::queue).distinct().toList();
    }

    /** Runs the rules in order. Never throws for what a delivery holds. */
    public Outcome apply(Facts facts) {
        Evaluation evaluation = new Evaluation(facts, ruleMaxBody, redact);
        List<TodoDraft> todos = new ArrayList<>();
        Trace trace = new Trace();
        for (Rule rule : rules) {
            try {
                Optional<TodoDraft> draft = rule.draft(evaluation);
                if (draft.isPresent()) {
                    todos.add(draft.get());
                    trace.matched(rule.label());
                    if (rule.stops()) {
                        trace.stopped(rule.label());
                        break;
                    }
                }
            } catch (Fault fault) {
                trace.faulted(rule.label(), fault.code());
            }
        }
        return new Outcome(disposition(trace, todos), List.copyOf(todos), trace.json(evaluation.payloadForm()));
    }

    private static Disposition disposition(Trace trace, List<TodoDraft> todos) {
        if (trace.hasFaults()) {
            return Disposition.FAULTED;
        }
        return todos.isEmpty() ? Disposition.STORED : Disposition.ROUTED;
    }
}
