package promises;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How many lines of one kind a hub logs in a second; a kind is what a line says before its first {@code key=value}. */
final class LogPace {
    private final List<Line> lines;

    private record Line(Instant at, String text) {
        String secondAndKind() {
            return at.truncatedTo(ChronoUnit.SECONDS) + text.split(" \\S+=", 2)[0];
        }

        /** Empty for what is no log line: the start-up lines for people. */
        static Optional<Line> of(String text) {
            int blank = text.indexOf(' ');
            try {
                return blank < 0
                        ? Optional.empty()
                        : Optional.of(new Line(Instant.parse(text.substring(0, blank)), text.substring(blank)));
            } catch (DateTimeParseException noTime) {
                return Optional.empty();
            }
        }
    }

    private LogPace(List<Line> lines) {
        this.lines = lines;
    }

    static LogPace of(String log) {
        return new LogPace(log.lines().map(Line::of).flatMap(Optional::stream).toList());
    }

    LogPace between(Instant from, Instant to) {
        return new LogPace(lines.stream()
                .filter(line -> line.at.isAfter(from) && line.at.isBefore(to))
                .toList());
    }

    /** The most lines of one kind in one second. */
    long most() {
        return lines.stream()
                .collect(Collectors.groupingBy(Line::secondAndKind, Collectors.counting()))
                .values()
                .stream()
                .max(Long::compare)
                .orElse(0L);
    }
}
