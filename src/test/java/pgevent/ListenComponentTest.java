package pgevent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class ListenComponentTest {
    private static final String NAMED = "pgevent:hub/todo_ready?datasource=#listener";

    @AutoClose("stop")
    private final DefaultCamelContext context = new DefaultCamelContext();

    private final PGSimpleDataSource listener = new PGSimpleDataSource();

    @BeforeEach
    void bind() {
        context.getRegistry().bind("pgevent", new ListenComponent());
        context.getRegistry().bind("listener", listener);
    }

    @Test
    void namedFormTakesItsSessionsFromTheDataSource() {
        ListenEndpoint endpoint = endpoint(NAMED + "&channels=agent_wake, Mixed_Case&uncoalesced=agent_wake");

        assertThat(endpoint.getDatasource()).isSameAs(listener);
        assertThat(endpoint.channels()).containsExactly("todo_ready", "agent_wake", "Mixed_Case");
        assertThat(endpoint.uncoalesced()).containsExactly("agent_wake");
        assertThat(endpoint.getServiceUrl()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "pgevent://db.example:6543/hub/todo_ready?user=ann&pass=secret, db.example, 6543, hub",
        "pgevent:db.example:6543/hub/todo_ready?user=ann&pass=secret, db.example, 6543, hub",
        "pgevent://db.example/hub/todo_ready?user=ann&pass=secret, db.example, 5432, hub",
        "pgevent:///hub/todo_ready?user=ann&pass=secret, localhost, 5432, hub",
        "pgevent://[::1]:6543/hub/todo_ready?user=ann&pass=secret, [::1], 6543, hub",
    })
    void stockFormsNameTheirServer(String uri, String host, int port, String database) {
        ListenEndpoint endpoint = endpoint(uri);

        assertThat(endpoint.getHost()).isEqualTo(host);
        assertThat(endpoint.getPort()).isEqualTo(port);
        assertThat(endpoint.getDatabase()).isEqualTo(database);
        assertThat(endpoint.getChannel()).isEqualTo("todo_ready");
        assertThat(endpoint.getUser()).isEqualTo("ann");
        assertThat(endpoint.getPass()).isEqualTo("secret");
    }

    @Test
    void slashInAPasswordDoesNotMoveTheChannel() {
        ListenEndpoint endpoint = endpoint("pgevent://db.example:6543/hub/todo_ready?user=ann&pass=RAW(a/b)");

        assertThat(endpoint.getDatabase()).isEqualTo("hub");
        assertThat(endpoint.getChannel()).isEqualTo("todo_ready");
        assertThat(endpoint.getPass()).isEqualTo("a/b");
    }

    @Test
    void passwordStandsInNoLogAndNoError() {
        String uri = "pgevent://db.example:6543/hub/todo_ready?user=ann&pass=RAW(hunter2)";

        assertThat(endpoint(uri)).asString().doesNotContain("hunter2");
        assertThatThrownBy(() -> endpoint(uri + "&chanels=x"))
                .satisfies(refused ->
                        assertThat(stackTrace(refused)).contains("chanels").doesNotContain("hunter2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reconnectDelay=5000",
                "workerPool=#pool",
                "workerPoolCoreSize=1",
                "workerPoolMaxSize=2",
                "bridgeErrorHandler=true"
            })
    void optionsOfTheStockConsumerAreRefusedByName(String option) {
        assertThatThrownBy(() -> endpoint(NAMED + "&" + option).createConsumer(exchange -> {}))
                .hasStackTraceContaining("'" + option.substring(0, option.indexOf('=')) + "' is not supported: ");
    }

    @Test
    void misspeltOptionIsRefused() {
        assertThatThrownBy(() -> endpoint(NAMED + "&chanels=agent_wake"))
                .rootCause()
                .hasMessageContaining("unknown option 'chanels'");
    }

    @Test
    void nameWithoutDataSourceIsRefused() {
        assertThatThrownBy(() -> endpoint("pgevent:hub/todo_ready"))
                .rootCause()
                .hasMessageContaining("say which with datasource=#bean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pgevent:todo_ready?datasource=#listener", "pgevent://host:port/hub/todo_ready"})
    void pathThatIsNeitherFormIsRefused(String uri) {
        assertThatThrownBy(() -> endpoint(uri)).rootCause().hasMessageContaining("neither <name>/<channel>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"_wake", "_probe_7", "longer_than_the_sixty_three_bytes_that_postgres_keeps_of_an_identifier"})
    void channelThatLISTENWouldNotHearOrThatIsReservedIsRefused(String channel) {
        assertThatThrownBy(() -> endpoint(NAMED + "&channels=" + channel))
                .rootCause()
                .hasMessageContaining("channel '" + channel + "'");
    }

    @Test
    void uncoalescedChannelMustBeListenedOn() {
        assertThatThrownBy(() -> endpoint(NAMED + "&uncoalesced=access"))
                .rootCause()
                .hasMessageContaining("'access' is not listened on");
    }

    @Test
    void poolIsRefused() {
        try (HikariDataSource pool = new HikariDataSource()) {
            context.getRegistry().bind("pool", pool);

            assertThatThrownBy(() ->
                            endpoint("pgevent:hub/todo_ready?datasource=#pool").createConsumer(exchange -> {}))
                    .hasMessageContaining("a pooled connection cannot carry LISTEN");
        }
    }

    @Test
    void sendingIsRefusedWithTheWayToDoIt() {
        assertThatThrownBy(() -> endpoint(NAMED).createProducer())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("SELECT pg_notify(channel, payload)");
    }

    private static String stackTrace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private ListenEndpoint endpoint(String uri) {
        return context.getEndpoint(uri, ListenEndpoint.class);
    }
}
