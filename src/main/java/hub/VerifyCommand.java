package hub;

import adapters.Adapter;
import adapters.Adapters;
import adapters.AdaptersFile;
import adapters.Nearest;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import model.Refusal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import remote.HttpsDocuments;
import verify.Request;
import verify.Verified;

/** {@code verify}: why a delivery is let in or refused, for the person whose webhook answers 401. Stores nothing. */
@Command(
        name = "verify",
        description = "Explain step by step how an adapter verifies a delivery that was kept, and where it differs."
                + " Prints no secret. Exit status 1 when it is refused.",
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
    private final Supplier<HubConfig> config;
    private final PrintWriter out;

    @Parameters(paramLabel = "ADAPTER", description = "name of an adapter of adapters.yaml")
    private String name;

    @Option(
            names = "--headers",
            required = true,
            paramLabel = "FILE",
            description = "the headers as sent, one in a line; may begin with the request line, as curl -v prints it")
    private Path headers;

    @Option(names = "--body", required = true, paramLabel = "FILE", description = "the body, byte for byte")
    private Path body;

    @Option(
            names = "--url",
            description = "the address that the sender knows, for schemes that sign it (default: the public URL)")
    private Optional<URI> url;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "when it came in, as 2026-01-31T23:59:59Z, for schemes that sign a time (default: now)")
    private Optional<String> at;

    VerifyCommand(Supplier<HubConfig> config, PrintWriter out) {
        this.config = config;
        this.out = out;
    }

    @Override
    public Integer call() {
        HubConfig settings = config.get();
        Adapter adapter = adapter(settings, settings.environment());
        Request request = CapturedRequest.read(headers, body).at(url.orElseGet(() -> address(settings, adapter)), at());
        adapter.verifier().explain(request).forEach(out::println);
        try {
            Verified verified = adapter.verifier().verify(request);
            out.println("accepted   " + verified.detail());
            out.println("event type " + shown(verified.eventType()));
            out.println("identity   " + shown(verified.externalId()));
            out.flush();
            return 0;
        } catch (Refusal refusal) {
            out.println("refused    " + refusal.getMessage());
            hints(settings, adapter, request, refusal).forEach(hint -> out.println("hint       " + hint));
            out.flush();
            return 1;
        }
    }

    private static String shown(String value) {
        return value == null ? "none" : value;
    }

    private Adapter adapter(HubConfig settings, Map<String, String> environment) {
        Adapters adapters = AdaptersFile.load(settings.adapters(), environment::get, new HttpsDocuments());
        Adapter adapter = adapters.named(name)
                .orElseThrow(() -> new StartFailure("adapters.yaml declares no adapter " + name
                        + Nearest.hint(
                                name, adapters.all().stream().map(Adapter::name).toList())));
        adapter.offReason().ifPresent(reason -> {
            throw new StartFailure("the adapter " + name + " is off: " + reason);
        });
        if (adapter.verifier()
                .explain(CapturedRequest.read(headers, body).at(URI.create("http://localhost/"), Instant.EPOCH))
                .isEmpty()) {
            throw new StartFailure("the adapter " + name + " verifies nothing: its type is "
                    + adapter.type().word());
        }
        return adapter;
    }

    private static URI address(HubConfig settings, Adapter adapter) {
        String path = adapter.type().entrance() == adapters.AdapterType.Entrance.GENERIC ? "generic/" : "";
        return URI.create(
                settings.publicUrl().orElse(URI.create("http://" + settings.httpHost() + ":" + settings.httpPort()))
                        + "/webhooks/" + path + adapter.name());
    }

    private Instant at() {
        try {
            return at.map(Instant::parse).orElseGet(Instant::now);
        } catch (DateTimeParseException notOne) {
            throw new StartFailure("--at is no time as 2026-01-31T23:59:59Z", notOne);
        }
    }

    /** What is usually wrong, tried: a body that something rewrote, a secret with a line break, another address. */
    private List<String> hints(HubConfig settings, Adapter adapter, Request request, Refusal refusal) {
        List<String> hints = new ArrayList<>();
        if (refusal.code() == Refusal.Code.SIGNATURE_EXPIRED) {
            hints.add("the signature itself is right; look at the clocks, or say with --at when the delivery came in");
        }
        if (refusal.code() != Refusal.Code.SIGNATURE_MISMATCH && refusal.code() != Refusal.Code.TOKEN_MISMATCH) {
            return hints;
        }
        rewritten(request.body()).forEach((what, other) -> {
            if (isLetIn(adapter, withBody(request, other))) {
                hints.add("it would be let in with the body " + what
                        + ": keep the body byte for byte, also on its way here");
            }
        });
        Map<String, String> stripped = new LinkedHashMap<>();
        settings.environment().forEach((variable, value) -> stripped.put(variable, value.strip()));
        if (isLetIn(adapter(settings, stripped), request)) {
            hints.add("it would be let in with the secret stripped of white space at its ends");
        }
        String other = request.url().startsWith("https:")
                ? "http:" + request.url().substring("https:".length())
                : "https:" + request.url().substring("http:".length());
        if (isLetIn(adapter, withUrl(request, other))) {
            hints.add("it would be let in at " + other + ": set SWITCHBOARD_PUBLIC_URL to what the sender knows");
        }
        if (hints.isEmpty()) {
            hints.add(
                    "most likely the secret is another one than the sender's, or the body is not the one that was sent");
        }
        return hints;
    }

    private static Map<String, byte[]> rewritten(byte[] body) {
        Map<String, byte[]> bodies = new LinkedHashMap<>();
        String text = new String(body, StandardCharsets.ISO_8859_1);
        bodies.put("without the line break at its end", latin(text.replaceFirst("\\r?\\n\\z", "")));
        bodies.put("with a line break at its end", latin(text + "\n"));
        bodies.put("with LF for CR LF", latin(text.replace("\r\n", "\n")));
        bodies.put("with CR LF for LF", latin(text.replace("\r\n", "\n").replace("\n", "\r\n")));
        bodies.put("without the byte order mark", latin(text.replaceFirst("\\A\u00EF\u00BB\u00BF", "")));
        try {
            JsonMapper json = new JsonMapper();
            bodies.put("as JSON without white space", json.writeValueAsBytes(json.readTree(body)));
        } catch (IOException noJson) {
            return changed(bodies, body);
        }
        return changed(bodies, body);
    }

    private static Map<String, byte[]> changed(Map<String, byte[]> bodies, byte[] body) {
        bodies.values().removeIf(other -> Arrays.equals(other, body));
        return bodies;
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Request withBody(Request request, byte[] body) {
        return new Request(request.method(), request.url(), request.headers(), request.query(), body, request.at());
    }

    private static Request withUrl(Request request, String url) {
        return new Request(request.method(), url, request.headers(), request.query(), request.body(), request.at());
    }

    private static boolean isLetIn(Adapter adapter, Request request) {
        try {
            adapter.verifier().verify(request);
            return true;
        } catch (Refusal refusal) {
            return false;
        }
    }
}
