package hub;

import access.Gate;
import http.HttpEngine;
import org.apache.camel.CamelContext;
import routes.Health;
import routes.Settings;

/** Everything towards agents. */
final class Agents implements AutoCloseable {
    static Agents start(
            CamelContext context, HttpEngine engine, Gate gate, Settings settings, Health health, Database database) {
        return new Agents();
    }

    void endWaits() {}

    @Override
    public void close() {}
}
