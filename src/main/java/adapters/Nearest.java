package adapters;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that somebody probably meant. */
public final class Nearest {

    private Nearest() {}

    /** The known name with the fewest edits from the given one, when those are few enough to be a slip. */
    static Optional<String> to(String given, Collection<String> known) {
        String slip = given.toLowerCase(Locale.ROOT);
        int few = Math.max(2, slip.length() / 3);
        return known.stream()
                .filter(name -> Math.abs(name.length() - slip.length()) <= few)
                .filter(name -> distance(slip, name.toLowerCase(Locale.ROOT)) <= few)
                .min(Comparator.<String>comparingInt(name -> distance(slip, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The known name with the fewest edits from the given one, however many; of several, the first. */
    public static String ofAll(String given, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(given, name)))
                .orElseThrow();
    }

    /** {@code ; did you mean "x"?}, or nothing. */
    public static String hint(String given, Collection<String> known) {
        return to(given, known).map(name -> "; did you mean \"" + name + "\"?").orElse("");
    }

    /** Levenshtein's distance, two rows at a time. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
