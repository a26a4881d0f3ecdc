package hub;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with a route file, with its line where Camel or its YAML parser say one. */
final class RouteProblem {
    private static final Pattern LINE = Pattern.compile("line[: ]+(\\d+)");

    private RouteProblem() {}

    static String of(Path file, Throwable failure) {
        StringBuilder all = new StringBuilder();
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            all.append(cause.getMessage()).append('\n');
            root = cause;
        }
        Matcher line = LINE.matcher(all);
        String place = line.find() ? ":" + line.group(1) : "";
        String reason = root.getMessage() == null ? root.toString() : root.getMessage();
        return file + place + ": " + reason.replaceAll("\\s+", " ").strip();
    }
}
