package hub;

import java.net.URI;
import java.util.List;

public final class Hub implements AutoCloseable {
    private final Database database;

    private Hub(Database database) {
        this.database = database;
    }

    public static Hub start(HubConfig config) {
        return new Hub(Database.open(config));
    }

    static Backstage backstage() {
        return new Backstage() {
            @Override
            public List<String> check(HubConfig config) {
                return List.of("adapters " + config.adapters());
            }

            @Override
            public String rotateOperatorCredential(HubConfig config) {
                throw new StartFailure("not wired");
            }
        };
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:8080");
    }

    public List<String> startupLines() {
        return List.of("database " + database.facts().url());
    }

    @Override
    public void close() {
        database.close();
    }
}
