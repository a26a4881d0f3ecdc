package pgevent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import fixtures.Queries;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.ExceptionHandler;
import org.postgresql.ds.PGSimpleDataSource;

/** A Camel context with one route that listens and remembers what it heard, and the questions that tests ask about it. */
final class Listening implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String ROUTE = "wake-test";

    /** What one run of the route saw. */
    record Heard(String channel, String body) {
        static Heard wake(String reason) {
            return new Heard(Notifications.WAKE, reason);
        }
    }

    /** The name of the listener's sessions, and the channel of its route, so that its threads can be told apart. */
    final String name = "listening_" + NUMBER.incrementAndGet();

    final List<Heard> heard = new CopyOnWriteArrayList<>();
    final DefaultCamelContext context = new DefaultCamelContext();
    private final Queries server;
    private volatile Processor then = exchange -> {};

    private Listening(Queries server, String jdbcUrl, String options) throws Exception {
        this.server = server;
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUser("postgres");
        dataSource.setUrl(jdbcUrl);
        dataSource.setApplicationName(name);
        context.getRegistry().bind("listenerDataSource", dataSource);
        context.getRegistry().bind("throwing", new ThrowingExceptionHandler());
        context.getRegistry().bind("pgevent", new ListenComponent());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(noErrorHandler());
                from("pgevent:hub/" + name + "?datasource=#listenerDataSource" + options)
                        .routeId(ROUTE)
                        .process(Listening.this::hear);
            }
        });
    }

    /** Listens on {@link #name} and on what the options add. */
    static Listening to(Queries server, String jdbcUrl, String options) throws Exception {
        Listening listening = new Listening(server, jdbcUrl, options);
        listening.context.start();
        return listening;
    }

    /** {@link #to}, has proved that it hears, and its route is idle. */
    static Listening upOn(Queries server, String jdbcUrl, String options) throws Exception {
        Listening listening = to(server, jdbcUrl, options);
        listening.awaitUp(Duration.ofSeconds(10));
        listening.awaitHeard(Duration.ofSeconds(10), Heard.wake("connected"));
        return listening;
    }

    /** What the route does after it has remembered a message. */
    void then(Processor processor) {
        then = processor;
    }

    ListenConsumer consumer() {
        return (ListenConsumer) context.getRoute(ROUTE).getConsumer();
    }

    void awaitUp(Duration longest) {
        await().atMost(longest).until(() -> consumer().isUp());
    }

    void awaitHeard(Duration longest, Heard... expected) {
        await().atMost(longest)
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(heard).contains(expected));
    }

    /** One session listens, and every notification is heard once. */
    void assertHearsEverythingOnce() {
        awaitUp(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(sessions()).isEqualTo(1));
        assertThat(threads()).hasSize(2);
        Heard first = new Heard(name, "check-" + System.nanoTime());
        Heard last = new Heard(name, "check-" + System.nanoTime());

        send(first.channel(), first.body());
        send(last.channel(), last.body());

        awaitHeard(Duration.ofSeconds(5), last);
        assertThat(heard).containsOnlyOnce(first, last);
    }

    void send(String channel, String payload) {
        server.value("SELECT pg_notify(?, ?)::text", channel, payload);
    }

    long sessions() {
        return server.count("SELECT count(*) FROM pg_stat_activity WHERE application_name = ?", name);
    }

    /** The backend of the listening session: the oldest, because the probe's comes after it. */
    int backend() {
        return backendOtherThan(0);
    }

    /** The same, once it is not the one that was killed and may not have left yet. */
    int backendOtherThan(int killed) {
        return await().until(() -> (Integer) server.value("""
                                SELECT pid FROM pg_stat_activity WHERE application_name = ? AND pid <> ?
                                ORDER BY backend_start LIMIT 1""", name, killed), Objects::nonNull);
    }

    List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(thread -> thread.startsWith("pgevent-") && thread.endsWith(name))
                .toList();
    }

    void stopRoute() throws Exception {
        context.getRouteController().stopRoute(ROUTE);
    }

    void startRoute() throws Exception {
        context.getRouteController().startRoute(ROUTE);
    }

    void suspendRoute() throws Exception {
        context.getRouteController().suspendRoute(ROUTE);
    }

    void resumeRoute() throws Exception {
        context.getRouteController().resumeRoute(ROUTE);
    }

    @Override
    public void close() {
        then = exchange -> {};
        context.stop();
    }

    /** An integrator's exception handler with a fault of its own. */
    private static final class ThrowingExceptionHandler implements ExceptionHandler {
        @Override
        public void handleException(Throwable exception) {
            throw new IllegalStateException("a handler that fails", exception);
        }

        @Override
        public void handleException(String message, Throwable exception) {
            throw new IllegalStateException("a handler that fails", exception);
        }

        @Override
        public void handleException(String message, Exchange exchange, Throwable exception) {
            throw new IllegalStateException("a handler that fails", exception);
        }
    }

    private void hear(Exchange exchange) throws Exception {
        // asked first: whoever sees the message in the list and then sets another one means the next message
        Processor next = then;
        heard.add(new Heard(
                exchange.getMessage().getHeader("channel", String.class),
                exchange.getMessage().getBody(String.class)));
        next.process(exchange);
    }
}
