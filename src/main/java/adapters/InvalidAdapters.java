package adapters;

import java.util.List;
import java.util.stream.Collectors;

/** adapters.yaml cannot be used. Carries everything that is wrong with it, in the order of the file. */
public final class InvalidAdapters extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** @param file how the user knows the file */
    InvalidAdapters(String file, List<Problem> problems) {
        super(message(file, problems));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }

    private static String message(String file, List<Problem> problems) {
        String count = problems.size() == 1 ? "1 problem" : problems.size() + " problems";
        return problems.stream()
                .map(problem -> "\n  " + problem)
                .collect(Collectors.joining("", file + " has " + count + ":", ""));
    }
}
