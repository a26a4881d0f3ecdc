package access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a vended endpoint may do; the API calls them verbs. {@code docs/agents.md} lists the same. */
public enum Right {
    /** Claim todos, one or many. */
    CLAIM,
    /** Extend the lease of a claimed todo. */
    HEARTBEAT,
    /** End an attempt well, one or many. */
    COMPLETE,
    /** End an attempt badly. */
    FAIL,
    /** Give a claimed todo back. */
    RELEASE,
    /** Look at todos and queues. */
    READ,
    /** Make todos. */
    CREATE,
    /** Give failed todos another life. */
    RETRY,
    /** Look at the events behind the todos of its queues. */
    EVENTS,
    /** Be told when a queue gets something. */
    WAKEUPS,
    /** Make webhooks for its queues, and look after those that it made. */
    WEBHOOKS;

    /** Words that stand for several. */
    private static final Map<String, List<Right>> GROUPS = Map.of(
            "work", List.of(CLAIM, HEARTBEAT, COMPLETE, FAIL, RELEASE, READ, WAKEUPS),
            "produce", List.of(CREATE, READ),
            "observe", List.of(READ, EVENTS, WAKEUPS));

    /** What one account may grant to another: making and working, and nothing that looks beyond the todos themselves. */
    private static final Set<Right> FOR_FRIENDS =
            EnumSet.of(CLAIM, HEARTBEAT, COMPLETE, FAIL, RELEASE, READ, WAKEUPS, CREATE);

    /** As the database and the API spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a word stands for: a right, or a group of them; empty when it is neither. */
    public static Optional<List<Right>> named(String word) {
        return Optional.ofNullable(GROUPS.get(word))
                .or(() -> Arrays.stream(values())
                        .filter(right -> right.word().equals(word))
                        .findFirst()
                        .map(List::of));
    }

    /** Every word that {@link #named} knows, groups last. */
    public static List<String> words() {
        List<String> words =
                new ArrayList<>(Arrays.stream(values()).map(Right::word).toList());
        words.addAll(List.of("work", "produce", "observe"));
        return words;
    }

    /** Whether a friend may be given this one. */
    public boolean forFriends() {
        return FOR_FRIENDS.contains(this);
    }

    /** As stored; a word that this version does not know grants nothing. */
    static Set<Right> stored(Collection<String> words) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        words.forEach(word -> named(word).ifPresent(rights::addAll));
        return rights;
    }
}
