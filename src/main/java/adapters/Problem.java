package adapters;

/**
 * One thing that is wrong with adapters.yaml.
 *
 * @param line where it stands, from 1; 0 when the file as a whole is meant
 * @param column where it begins, from 1; 0 when the file as a whole is meant
 * @param path which part is meant, for example {@code adapters[0].todos[1].when}; empty for the whole file
 * @param message the rule and the next step, never a secret
 */
public record Problem(int line, int column, String path, String message) {

    /** {@code line 7, column 13: adapters[0].todos[1].when: …}. */
    @Override
    public String toString() {
        String place = line == 0 ? "" : "line " + line + ", column " + column + ": ";
        return place + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
