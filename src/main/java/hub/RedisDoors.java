package hub;

import adapters.AdapterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.camel.CamelContext;
import redis.Connections;
import routes.Health;
import routes.RedisRoutes;

/** Everything towards Redis: the connections, this node's name, and the doors of the adapters that read there. */
final class RedisDoors implements AutoCloseable {
    private final Optional<NodeName> node;
    private final Connections connections;
    private List<String> doors = List.of();

    private RedisDoors(Optional<NodeName> node, Connections connections) {
        this.node = node;
        this.connections = connections;
    }

    /** Connects to nothing yet. */
    static RedisDoors open(HubConfig config) {
        if (config.redisUrls().isEmpty()) {
            return new RedisDoors(Optional.empty(), new Connections(config.redisUrls(), "none"));
        }
        NodeName node = NodeName.take(config);
        return new RedisDoors(Optional.of(node), new Connections(config.redisUrls(), node.toString()));
    }

    Connections connections() {
        return connections;
    }

    /** From now on entries are read. */
    void read(CamelContext context, AdapterRegistry registry, Health health) throws Exception {
        RedisRoutes routes = new RedisRoutes(registry, connections);
        context.addRoutes(routes);
        doors = routes.doors();
        if (node.isPresent()) {
            health.watch("redis", () -> RedisRoutes.health(context));
        }
    }

    /** Nothing more is read, on integrators' routes too; what was read through the doors ends, and is acknowledged. */
    void leave(CamelContext context) {
        RedisRoutes.leave(context);
        IntegratorRoutes.stop(context, doors);
    }

    /** After the last acknowledgement. */
    @Override
    public void close() throws IOException {
        connections.close();
        if (node.isPresent()) {
            node.get().close();
        }
    }
}
