package routes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.camel.builder.RouteBuilder;

/** The contract in words for machines, also while the hub starts. A test holds it to what the other routes serve. */
public final class OpenApiRoute extends RouteBuilder {
    static final String PATH = "/openapi.yaml";

    private final byte[] document = read();

    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from("platform-http:/openapi.yaml?httpMethodRestrict=GET")
                .routeId("openapi")
                // RFC 9512
                .process(exchange -> HttpAnswers.bytes(exchange, 200, "application/yaml", document));
    }

    private static byte[] read() {
        try (InputStream in = OpenApiRoute.class.getResourceAsStream(PATH)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + PATH + " on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
