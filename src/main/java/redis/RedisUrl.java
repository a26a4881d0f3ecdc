package redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a Redis is and how to enter it: {@code redis://user:password@host:6379/0}, or {@code rediss://…} for TLS, whose
 * certificate is always verified: against the JVM's authorities, or those of {@code ?ca=<PEM file>}. One server; cluster
 * and sentinel addresses are refused by name. Never prints the password.
 *
 * @param user the ACL user; empty for {@code default}
 * @param password empty for none
 * @param ca file with the certificates that are trusted instead of the JVM's
 */
public record RedisUrl(
        boolean tls,
        String host,
        int port,
        int database,
        Optional<String> user,
        Optional<String> password,
        Optional<Path> ca) {
    private static final int PORT = 6379;
    private static final String FORM = "must read redis://user:password@host:port/database, or rediss:// for TLS";

    /** @throws IllegalArgumentException saying which rule the text breaks, without quoting it */
    public static RedisUrl parse(String text) {
        String scheme = scheme(text);
        // java.net.URI takes a list of hosts for an authority without a host
        String authority = text.replaceFirst("^[^:]+://", "").replaceFirst("[/?#].*$", "");
        if (authority.substring(authority.lastIndexOf('@') + 1).contains(",")) {
            throw new IllegalArgumentException(
                    "names several hosts; a cluster is not supported: give the address of one server");
        }
        try {
            URI uri = new URI(text);
            if (uri.getHost() == null || uri.getRawFragment() != null) {
                throw new IllegalArgumentException(FORM + "; percent-encode what a URL gives another meaning");
            }
            String[] login = (uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo()).split(":", 2);
            return new RedisUrl(
                    scheme.equals("rediss"),
                    uri.getHost(),
                    uri.getPort() < 0 ? PORT : uri.getPort(),
                    database(uri.getRawPath()),
                    decoded(login[0]),
                    login.length < 2 ? Optional.empty() : decoded(login[1]),
                    ca(uri.getRawQuery(), scheme));
        } catch (URISyntaxException notOne) {
            // its message quotes the text
            throw new IllegalArgumentException(FORM + "; percent-encode what a URL gives another meaning");
        }
    }

    private static String scheme(String text) {
        String scheme = text.replaceFirst(":.*$", "").toLowerCase(Locale.ROOT);
        if (scheme.contains("sentinel")) {
            throw new IllegalArgumentException(
                    "asks for sentinels, which are not supported: give the address of one server,"
                            + " or of a proxy that follows the master");
        }
        if (scheme.contains("cluster")) {
            throw new IllegalArgumentException(
                    "asks for a cluster, which is not supported: give the address of one server");
        }
        if (!scheme.equals("redis") && !scheme.equals("rediss")) {
            throw new IllegalArgumentException(FORM);
        }
        return scheme;
    }

    private static int database(String path) {
        String number = path == null ? "" : path.replaceFirst("^/", "");
        if (number.isEmpty()) {
            return 0;
        }
        if (!number.matches("\\d{1,5}")) {
            throw new IllegalArgumentException("has a path that is no number of a database");
        }
        return Integer.parseInt(number);
    }

    private static Optional<Path> ca(String query, String scheme) {
        if (query == null) {
            return Optional.empty();
        }
        if (!query.startsWith("ca=") || query.contains("&") || !scheme.equals("rediss")) {
            throw new IllegalArgumentException("has an unknown parameter; there is ca=<PEM file>, for rediss://");
        }
        Path file = Path.of(URLDecoder.decode(query.substring("ca=".length()), StandardCharsets.UTF_8));
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("names a file in ca= that cannot be read");
        }
        return Optional.of(file);
    }

    private static Optional<String> decoded(String text) {
        // a plus is a plus here, unlike in a form
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
    }

    /** As Redisson takes it. */
    String address() {
        return (tls ? "rediss://" : "redis://") + host + ":" + port;
    }

    /** Enough to recognise it by, nothing to enter it with. */
    @Override
    public String toString() {
        return (tls ? "rediss://" : "redis://") + user.map(name -> name + "@").orElse("") + host + ":" + port + "/"
                + database;
    }
}
