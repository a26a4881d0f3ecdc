package routes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;

/**
 * How people may call queues, agents and accounts: the alphabet of {@code adapters.schema.json}, so that a name that a rule
 * may use can be asked for over the API and the other way round. Names that begin with an underscore are the hub's own.
 */
final class Names {
    /** Bytes. */
    static final int LONGEST = 128;

    static final String RULE = "1 to 128 characters of A-Z a-z 0-9 . _ -, beginning with a letter or digit";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private Names() {}

    static boolean isOne(JsonNode node) {
        return node.isTextual() && isOne(node.textValue());
    }

    static boolean isOne(String text) {
        return NAME.matcher(text).matches();
    }
}
