package redis;

import java.util.ArrayList;
import java.util.List;

/** What scripts answer, typed. */
final class Answers {
    private Answers() {}

    /** {@code {lost, last, {id, {part, …}}, …}}. */
    static Feed.Page page(List<Object> answer) {
        List<Entry> entries = new ArrayList<>(answer.size());
        for (Object entry : answer.subList(2, answer.size())) {
            List<?> idAndParts = (List<?>) entry;
            List<byte[]> parts = new ArrayList<>();
            ((List<?>) idAndParts.get(1)).forEach(part -> parts.add((byte[]) part));
            entries.add(new Entry(Script.text(idAndParts.get(0)), parts));
        }
        return new Feed.Page(entries, (Long) answer.get(0), Script.text(answer.get(1)));
    }

    /** {@code {entries, lost}}. */
    static Feed.Adopted adopted(List<Object> answer) {
        return new Feed.Adopted((Long) answer.get(0), (Long) answer.get(1));
    }
}
