package adapters;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.regex.Pattern;
import model.Refusal;
import verify.Handshake;
import verify.Request;

/**
 * Takes the token that Notion sends, unsigned, before there is a secret (developers.notion.com, "Webhooks": step 2), into a file of
 * mode 0600. Anybody could send one, so the file is never what deliveries are verified with: a person enters the token in
 * Notion, which refuses a stranger's, and then gives it to the adapter. The first one stays until somebody removes it.
 */
final class NotionHandshake implements Handshake {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern TOKEN = Pattern.compile("secret_[A-Za-z0-9_-]{8,200}");
    private static final String FIELD = "verification_token";
    private static final int LARGEST_QUESTION = 1_024;

    private final String adapter;
    private final Path file;

    NotionHandshake(String adapter, Path file) {
        this.adapter = adapter;
        this.file = file;
    }

    @Override
    public Optional<Answer> unsigned(Request request) {
        Optional<String> token = token(request);
        token.ifPresent(this::keep);
        return token.map(kept -> new Answer(200, null, ""));
    }

    private static Optional<String> token(Request request) {
        if (request.header("X-Notion-Signature") != null || request.body().length > LARGEST_QUESTION) {
            return Optional.empty();
        }
        try {
            JsonNode question = JSON.readTree(request.body());
            String token = question.path(FIELD).asText();
            return question.isObject()
                            && question.size() == 1
                            && TOKEN.matcher(token).matches()
                    ? Optional.of(token)
                    : Optional.empty();
        } catch (IOException noJson) {
            return Optional.empty();
        }
    }

    private void keep(String token) {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, token + "\n", StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException kept) {
            throw new Refusal(
                    Refusal.Code.NOT_POSSIBLE,
                    adapter + ": " + file
                            + " holds a verification token already; remove it to take another (not_possible)",
                    kept);
        } catch (IOException e) {
            throw new Refusal(
                    Refusal.Code.INTERNAL, adapter + ": the verification token cannot be written to " + file, e);
        }
    }
}
