package adapters;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads YAML as JSON and remembers where each node stands.
 *
 * <p>Numbers and booleans are those of YAML 1.2's core schema ({@code 010}, {@code 1:30} and dates are text). Tags
 * that would make objects, keys that are no text, and repeated keys are problems.
 */
final class YamlDocument {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
    private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9][0-9]*)\\.[0-9]+");

    /** Aliases can make a small file unfold without end. */
    private static final int MAX_NODES = 100_000;

    private static final int MAX_DEPTH = 50;

    private final Problems problems;
    private int nodes;

    private YamlDocument(Problems problems) {
        this.problems = problems;
    }

    /** The document as JSON, or empty when it is no YAML at all; what is wrong is in {@code problems}. */
    static Optional<JsonNode> read(String yaml, Problems problems) {
        try {
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(yaml));
            if (root == null) {
                return Optional.of(JSON.objectNode());
            }
            problems.place(JsonPointer.empty(), root.getStartMark());
            return Optional.of(new YamlDocument(problems).json(root, JsonPointer.empty(), 0));
        } catch (MarkedYAMLException e) {
            // not getMessage(): it quotes the line, and the line may hold a secret
            String context = e.getContext() == null ? "" : " " + e.getContext();
            Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
            String message = "this is not YAML: " + e.getProblem() + context;
            if (mark == null) {
                problems.add(message);
            } else {
                problems.add(mark, message);
            }
        } catch (TooLarge e) {
            problems.add("more than " + MAX_NODES + " values or " + MAX_DEPTH + " levels once aliases are unfolded");
        } catch (YAMLException e) {
            // the parser does not say where
            problems.add("this is not YAML that can be read: it holds a character that is not allowed, more than 50"
                    + " aliases or levels, or more than 3 MiB");
        }
        return Optional.empty();
    }

    private JsonNode json(Node node, JsonPointer pointer, int depth) {
        if (++nodes > MAX_NODES || depth > MAX_DEPTH) {
            throw new TooLarge();
        }
        if (!node.getTag().startsWith(Tag.PREFIX)) {
            problems.add(pointer, "the YAML tag " + node.getTag().getValue() + " is not understood here");
        }
        if (node instanceof MappingNode mapping) {
            return object(mapping, pointer, depth);
        }
        if (node instanceof SequenceNode sequence) {
            return array(sequence.getValue(), pointer, depth);
        }
        return scalar((ScalarNode) node);
    }

    private ObjectNode object(MappingNode mapping, JsonPointer pointer, int depth) {
        ObjectNode object = JSON.objectNode();
        Map<String, Mark> seen = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                // what `secret: {{env:NAME}}` without quotes is to YAML: a map, not text
                continue;
            }
            String name = key.getValue();
            JsonPointer child = pointer.appendProperty(name);
            Mark first = seen.putIfAbsent(name, key.getStartMark());
            if (first != null) {
                problems.add(
                        key.getStartMark(),
                        "the key \"%s\" stands already in line %d".formatted(Problems.key(name), first.getLine() + 1));
                continue;
            }
            problems.place(child, key.getStartMark());
            object.set(name, json(tuple.getValueNode(), child, depth + 1));
        }
        return object;
    }

    private ArrayNode array(List<Node> items, JsonPointer pointer, int depth) {
        ArrayNode array = JSON.arrayNode();
        for (int i = 0; i < items.size(); i++) {
            JsonPointer child = pointer.appendIndex(i);
            problems.place(child, items.get(i).getStartMark());
            array.add(json(items.get(i), child, depth + 1));
        }
        return array;
    }

    private static JsonNode scalar(ScalarNode node) {
        String text = node.getValue();
        Tag tag = node.getTag();
        if (!node.isPlain() && tag.equals(Tag.STR)) {
            return JSON.textNode(text);
        }
        if (tag.equals(Tag.NULL)) {
            return JSON.nullNode();
        }
        if (tag.equals(Tag.BOOL) && (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"))) {
            return JSON.booleanNode(text.equalsIgnoreCase("true"));
        }
        if (tag.equals(Tag.INT) && INTEGER.matcher(text).matches()) {
            return JSON.numberNode(Long.parseLong(text));
        }
        if (tag.equals(Tag.FLOAT) && DECIMAL.matcher(text).matches()) {
            return JSON.numberNode(Double.parseDouble(text));
        }
        return JSON.textNode(text);
    }

    private static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
