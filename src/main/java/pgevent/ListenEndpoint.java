package pgevent;

import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.component.pgevent.PgEventEndpoint;
import org.postgresql.ds.PGSimpleDataSource;

/** camel-pgevent's endpoint, options and all, with {@link ListenConsumer} under it. */
public final class ListenEndpoint extends PgEventEndpoint {
    /** Satisfies the parser in the parent's constructor; {@link Address} has read the real one. */
    private static final String ANY = "pgevent:any/database/channel";

    private List<String> channels = List.of();
    private Set<String> uncoalesced = Set.of();

    ListenEndpoint(String uri, ListenComponent component) {
        super(ANY, component);
        setEndpointUri(uri);
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        if (isBridgeErrorHandler()) {
            throw new IllegalArgumentException(
                    "pgevent: option 'bridgeErrorHandler' is not supported: a lost connection"
                            + " is no exchange; it is logged, and isUp() of the consumer says so");
        }
        Sessions sessions = new Sessions(getDatasource() == null ? stockDataSource() : getDatasource());
        ListenConsumer consumer = new ListenConsumer(this, processor, sessions);
        configureConsumer(consumer);
        return consumer;
    }

    /** There is none: a NOTIFY belongs into the transaction whose rows it announces. */
    @Override
    public Producer createProducer() {
        throw new UnsupportedOperationException(
                "pgevent: only listens; send with SELECT pg_notify(channel, payload) in the transaction it belongs to");
    }

    /** Where this endpoint connects to; null when a DataSource knows and we do not. */
    @Override
    public String getServiceUrl() {
        return getDatasource() == null ? super.getServiceUrl() : null;
    }

    /** All channels that the one connection listens on, the one in the URI first. */
    List<String> channels() {
        return channels;
    }

    void setChannels(List<String> channels) {
        this.channels = channels;
    }

    /** Those of them whose notifications are handed over one by one, in order. */
    Set<String> uncoalesced() {
        return uncoalesced;
    }

    void setUncoalesced(Set<String> uncoalesced) {
        for (String channel : uncoalesced) {
            if (!channels.contains(channel)) {
                throw new IllegalArgumentException(
                        "pgevent: uncoalesced channel '%s' is not listened on; channels are %s"
                                .formatted(channel, channels));
            }
        }
        this.uncoalesced = Set.copyOf(uncoalesced);
    }

    private DataSource stockDataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {getHost()});
        dataSource.setPortNumbers(new int[] {getPort()});
        dataSource.setDatabaseName(getDatabase());
        dataSource.setUser(getUser());
        dataSource.setPassword(getPass());
        return dataSource;
    }
}
