package redis;

import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.support.DefaultComponent;

/** What the components share: the connections, which the hub has bound to the registry. */
abstract class RedisComponent extends DefaultComponent {
    @Metadata(autowired = true, description = "The Redis servers that endpoints may name")
    private Connections connections;

    public Connections getConnections() {
        return connections;
    }

    public void setConnections(Connections connections) {
        this.connections = connections;
    }

    abstract RedisEndpoint endpoint(String uri, String key, Connections to);

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        RedisEndpoint endpoint = endpoint(uri, remaining, bound());
        setProperties(endpoint, parameters);
        return endpoint;
    }

    private Connections bound() {
        Connections bound =
                connections == null ? getCamelContext().getRegistry().findSingleByType(Connections.class) : connections;
        if (bound == null) {
            throw new IllegalStateException(getDefaultName() + ": bind a redis.Connections to the registry");
        }
        return bound;
    }
}
