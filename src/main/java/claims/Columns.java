package claims;

import java.lang.reflect.Array;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Turns the items of a batch into the arrays that a statement unnests. */
final class Columns<A> {
    private final List<A> items;
    private final Map<String, Object> parameters = new HashMap<>();

    Columns(List<A> items) {
        this.items = items;
    }

    <C> Columns<A> with(String name, Class<C> type, Function<A, C> value) {
        Object column = Array.newInstance(type, items.size());
        for (int i = 0; i < items.size(); i++) {
            Array.set(column, i, value.apply(items.get(i)));
        }
        parameters.put(name, column);
        return this;
    }

    Columns<A> with(String name, Object value) {
        parameters.put(name, value);
        return this;
    }

    Map<String, Object> parameters() {
        return parameters;
    }
}
