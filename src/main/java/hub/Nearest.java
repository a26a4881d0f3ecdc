package hub;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The known name that a misspelt one was probably meant to be. */
final class Nearest {
    private Nearest() {}

    static String to(String name, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .orElseThrow();
    }

    /** Levenshtein's distance. */
    private static int distance(String left, String right) {
        int[] previous = new int[right.length() + 1];
        Arrays.setAll(previous, column -> column);
        for (int row = 1; row <= left.length(); row++) {
            int[] current = new int[right.length() + 1];
            current[0] = row;
            for (int column = 1; column <= right.length(); column++) {
                int replaced = previous[column - 1] + (left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, Math.min(previous[column], current[column - 1]) + 1);
            }
            previous = current;
        }
        return previous[right.length()];
    }
}
