package hub;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** An answer of the API for a terminal: a list as a table, one thing as a line for each field. */
final class Table {
    private Table() {}

    static String of(JsonNode answer) {
        for (JsonNode field : answer) {
            if (field.isArray() && answer.size() == 1) {
                return field.isEmpty() ? "none" : aligned(rows(field));
            }
        }
        List<List<String>> lines = new ArrayList<>();
        answer.properties().forEach(field -> lines.add(List.of(field.getKey(), text(field.getValue()))));
        return aligned(lines);
    }

    private static List<List<String>> rows(JsonNode list) {
        Set<String> names = new LinkedHashSet<>();
        list.forEach(row -> row.fieldNames().forEachRemaining(names::add));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.copyOf(names));
        list.forEach(
                row -> rows.add(names.stream().map(name -> text(row.path(name))).toList()));
        return rows;
    }

    private static String text(JsonNode value) {
        if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(part -> parts.add(part.asText()));
            return String.join(",", parts);
        }
        return value.isNull() || value.isMissingNode() ? "-" : value.isObject() ? value.toString() : value.asText();
    }

    private static String aligned(List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>(Collections.nCopies(rows.get(0).size(), 0));
        rows.forEach(row -> {
            for (int i = 0; i < row.size(); i++) {
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        });
        return rows.stream()
                .map(row -> line(row, widths.iterator()))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String line(List<String> row, Iterator<Integer> widths) {
        return row.stream()
                .map(cell -> cell + " ".repeat(widths.next() - cell.length()))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }
}
