package hub;

import adapters.AdapterRegistry;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Adapters as the start-up lines show them. */
final class AdapterLines {
    private AdapterLines() {}

    static List<String> of(List<AdapterRegistry.State> states, URI base) {
        List<String> lines = new ArrayList<>();
        for (AdapterRegistry.State state : states) {
            lines.add("%-11s %-16s %s"
                    .formatted(
                            state.on() ? "adapter on" : "adapter off",
                            state.adapter().name(),
                            state.on() ? entrance(state, base) : state.offReason()));
        }
        if (states.isEmpty()) {
            lines.add("adapter     none: adapters.yaml is empty");
        }
        return lines;
    }

    private static String key(AdapterRegistry.State state) {
        return state.adapter().pull().orElseThrow().key();
    }

    private static String entrance(AdapterRegistry.State state, URI base) {
        String name = state.adapter().name();
        return switch (state.adapter().type().entrance()) {
            case WEBHOOK -> "POST " + base + "/webhooks/" + name;
            case GENERIC -> "POST " + base + "/webhooks/generic/" + name;
            case ROUTE -> "to: intake:" + name;
            case STREAM -> "XADD " + key(state);
            case LIST -> "RPUSH " + key(state);
            case CHANNEL -> "PUBLISH " + key(state);
        };
    }
}
