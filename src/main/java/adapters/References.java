package adapters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import verify.Documents;

/** What <code>{{env:NAME}}</code> and <code>{{file:PATH}}</code> in adapters.yaml refer to, and which files were asked for. */
final class References {

    /** A certificate has 2 KiB, a set of keys 8. */
    private static final long LARGEST_FILE = 64L << 10;

    private final Function<String, String> environment;
    private final Documents documents;
    private final Set<Path> files = Collections.synchronizedSet(new TreeSet<>());

    References(Function<String, String> environment, Documents documents) {
        this.environment = environment;
        this.documents = documents;
    }

    /** Where keys come from that stand elsewhere. */
    Documents documents() {
        return documents;
    }

    /** The variable's value; null when it is not set. */
    String environment(String name) {
        return environment.apply(name);
    }

    /**
     * The file's text without the line break at its end.
     *
     * @throws IOException saying, for the operator, why it cannot be had
     */
    String file(String name) throws IOException {
        Path file = Path.of(name);
        files.add(file);
        try {
            if (Files.size(file) > LARGEST_FILE) {
                throw new IOException(name + " is larger than 64 KiB");
            }
            return Files.readString(file).replaceFirst("\\r?\\n\\z", "");
        } catch (NoSuchFileException e) {
            throw new IOException(name + " is not there", e);
        } catch (java.nio.charset.MalformedInputException e) {
            throw new IOException(name + " is not UTF-8", e);
        } catch (java.nio.file.FileSystemException e) {
            throw new IOException(name + " cannot be read", e);
        }
    }

    /** The files that were asked for, there or not. */
    Set<Path> files() {
        return Set.copyOf(files);
    }
}
