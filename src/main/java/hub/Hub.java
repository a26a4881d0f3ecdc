package hub;

import access.Credential;
import access.Gate;
import access.OperatorCredential;
import access.Vault;
import adapters.AdapterRegistry;
import adapters.Adapters;
import adapters.AdaptersFile;
import adapters.InvalidAdapters;
import adapters.PayloadView;
import http.HttpEngine;
import http.HttpServer;
import intake.Intake;
import intake.IntakeComponent;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.main.Main;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import pgevent.ListenComponent;
import remote.HttpsDocuments;
import routes.AccountRoutes;
import routes.CredentialRoutes;
import routes.DeclarationRoutes;
import routes.EndpointRoutes;
import routes.EventRoutes;
import routes.FriendRoutes;
import routes.FrontDoor;
import routes.GenericRoute;
import routes.Health;
import routes.HealthRoutes;
import routes.HttpRefusals;
import routes.IntakeRoute;
import routes.OpenApiRoute;
import routes.OperatorAccountRoutes;
import routes.OperatorRoutes;
import routes.Pruner;
import routes.PrunerRoute;
import routes.Settings;
import routes.Storage;
import routes.StoredWebhookRoute;
import routes.StoredWebhookRoutes;
import routes.StoredWebhooks;
import routes.WebhookRoute;

/**
 * The whole hub in one object: started it serves, closed it has answered everybody. Embeddable; several in one JVM need
 * folders and ports of their own.
 */
public final class Hub implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);

    private final HubConfig config;
    private final FrontDoor door;
    private final Health health;
    private final HealthRoutes healthRoutes;
    private final HttpEngine engine;
    private final HttpServer server;
    private final Main main = new Main();
    private final List<String> notes = new ArrayList<>();

    private CamelContext context;
    private Database database;
    private AdapterRegistry registry;
    private Intake intake;
    private Agents agents;
    private IntegratorRoutes integratorRoutes;
    private RedisDoors redis;
    private SecretFiles secrets;

    private Hub(HubConfig config) {
        this.config = config;
        this.door = new FrontDoor(config.proxies());
        this.health = new Health(door);
        this.healthRoutes = new HealthRoutes(health);
        this.engine = new HttpEngine(HttpEngine.Settings.defaults(), door, new HttpRefusals());
        this.server = new HttpServer(engine, config.httpHost(), config.httpPort());
    }

    /**
     * Starts a hub and returns when it takes deliveries.
     *
     * @throws StartFailure with what stands in the way, in words; nothing is left running then
     */
    public static Hub start(HubConfig config) {
        Hub hub = new Hub(config);
        try {
            hub.start();
            return hub;
        } catch (StartFailure failure) {
            hub.close();
            throw failure;
        } catch (Exception failure) {
            hub.close();
            throw new StartFailure(message(failure), failure);
        }
    }

    private void start() throws Exception {
        DatabaseOpening opening = new DatabaseOpening(config);
        Adapters declared;
        try {
            declared = adapters(config);
            startHttp();
            database = opening.await();
        } catch (Exception failure) {
            opening.giveUp();
            throw failure;
        }
        Storage.bind(context, database.pool());
        add(new IntakeRoute(), new CredentialRoutes(), new DeclarationRoutes());
        registry = DeclarationRoutes.declare(context, declared);
        Gate gate = new Gate(context);
        Settings settings = new Settings();
        setOperatorCredential();
        intake = new Intake(
                context,
                registry,
                engine.executor(),
                config.committers(),
                config.intakeMaxBytes(),
                config.intakeMaxDeliveries());
        context.addComponent("intake", new IntakeComponent(intake, registry));
        StoredWebhooks webhooks =
                new StoredWebhooks(registry, config.secretsKey().flatMap(Vault::of));
        add(
                new OperatorRoutes(gate, settings, registry, webhooks, health),
                new OperatorAccountRoutes(gate),
                new AccountRoutes(gate),
                new EndpointRoutes(gate),
                new StoredWebhookRoutes(gate, webhooks),
                new FriendRoutes(gate),
                new EventRoutes(gate),
                new PrunerRoute(new Pruner(context, settings), health));
        agents = Agents.start(context, engine, gate, settings, health, database, new PayloadView(registry));
        integratorRoutes = IntegratorRoutes.load(context, config.routes());
        add(new WebhookRoute(registry), new GenericRoute(registry), new StoredWebhookRoute(registry));
        redis.read(context, registry, health);
        watch();
        secrets = SecretFiles.watch(registry);
        healthRoutes.revealTo(gate);
        door.open(registry, intake);
        LOG.info("ready uri={} database={}", uri(), database.facts().version());
    }

    /** HTTP first: while the hub waits for its database it says so, instead of refusing connections. */
    private void startHttp() throws Exception {
        main.bind(HttpEngine.NAME, engine);
        main.bind("pgevent", new ListenComponent());
        redis = RedisDoors.open(config);
        main.bind("redis-connections", redis.connections());
        main.configure().addRoutesBuilder(healthRoutes);
        main.configure().addRoutesBuilder(new OpenApiRoute());
        main.addMainListener(new org.apache.camel.main.MainListenerSupport() {
            @Override
            public void afterConfigure(org.apache.camel.main.BaseMainSupport configured) {
                try {
                    configured.getCamelContext().addService(server);
                } catch (Exception failure) {
                    throw new StartFailure(message(failure), failure);
                }
            }
        });
        main.start();
        context = main.getCamelContext();
    }

    private void add(RoutesBuilder... builders) throws Exception {
        for (RoutesBuilder builder : builders) {
            context.addRoutes(builder);
        }
    }

    private void setOperatorCredential() {
        OperatorCredential operator = new OperatorCredential(context);
        if (config.operatorToken().isPresent()) {
            operator.replaceWith(Credential.of(config.operatorToken().get()));
            notes.add("operator    as SWITCHBOARD_OPERATOR_TOKEN says");
            return;
        }
        Optional<Credential> minted = operator.mintIfNone();
        minted.ifPresent(credential -> OperatorTokenFile.write(config, credential));
        notes.add(
                minted.isPresent()
                        ? "operator    a credential was minted and written to " + config.operatorTokenFile()
                                + " (mode 0600)"
                        : OperatorTokenFile.exists(config)
                                ? "operator    the credential in " + config.operatorTokenFile()
                                : "operator    the database has a credential, and " + config.operatorTokenFile()
                                        + " is not there: ./switchboard operator rotate mints a new one");
    }

    private void watch() {
        health.watch("adapters", () -> {
            List<String> off = registry.states().stream()
                    .filter(state -> !state.on())
                    .map(state -> state.adapter().name() + " (" + state.offReason() + ")")
                    .toList();
            return off.isEmpty()
                    ? new Health.Part(Health.Status.UP, registry.states().size() + " on")
                    : new Health.Part(Health.Status.DEGRADED, "off: " + String.join(", ", off));
        });
        health.watch(
                "intake",
                () -> new Health.Part(
                        Health.Status.UP, intake.depth() + " waiting, " + intake.heldBytes() + " bytes held"));
    }

    /** What the command line asks of the house without starting it. */
    static Backstage backstage() {
        return new HubBackstage();
    }

    /** Has the secrets that stand in files read again, as it is done by itself when such a file changes. */
    public void readSecretsAgain() {
        secrets.readAgain();
    }

    /** Where it listens. */
    public URI uri() {
        return URI.create("http://" + config.httpHost() + ":" + server.port());
    }

    /** What runs, for a person: the database, the adapters that are on, those that are off and why, a call that works. */
    public List<String> startupLines() {
        List<String> lines = new ArrayList<>();
        lines.add("Switchboard listens on " + uri());
        lines.add("database    PostgreSQL " + database.facts().version()
                + (database.facts().embedded()
                        ? ", embedded, data in " + config.dataDir()
                        : " at " + database.facts().url()));
        lines.addAll(notes);
        lines.addAll(AdapterLines.of(registry.states(), config.publicUrl().orElse(uri())));
        lines.addAll(integratorRoutes.lines());
        lines.add("");
        lines.add("Claim a todo:");
        lines.add("  curl -s " + uri() + "/v1/claim -H 'Content-Type: application/json' -d '{}' \\");
        lines.add("    -H \"Authorization: Bearer "
                + (config.operatorToken().isPresent()
                        ? "$SWITCHBOARD_OPERATOR_TOKEN"
                        : "$(cat " + config.operatorTokenFile() + ")")
                + "\"");
        return lines;
    }

    /**
     * Ends in the order that loses nothing: nobody new is let in, who waits is answered, what was committed is
     * acknowledged, and the database goes last.
     */
    @Override
    public void close() {
        // a signal interrupts a start, and what has started must be stopped all the same
        Uninterrupted.run(this::closeInOrder);
    }

    private void closeInOrder() {
        door.close();
        inOrder(
                () -> {
                    if (secrets != null) {
                        secrets.close();
                    }
                },
                () -> {
                    if (context != null) {
                        redis.leave(context);
                    }
                },
                () -> {
                    if (integratorRoutes != null) {
                        integratorRoutes.stop();
                    }
                },
                () -> {
                    if (context != null) {
                        server.suspend();
                    }
                },
                () -> {
                    if (agents != null) {
                        agents.endWaits();
                    }
                },
                () -> {
                    if (intake != null) {
                        intake.close();
                    }
                },
                () -> {
                    if (agents != null) {
                        agents.close();
                    }
                },
                main::stop,
                () -> {
                    if (redis != null) {
                        redis.close();
                    }
                },
                () -> {
                    if (database != null) {
                        database.close();
                    }
                });
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void inOrder(Step... steps) {
        for (Step step : steps) {
            try {
                step.run();
            } catch (Exception failure) {
                LOG.error("a part did not stop cleanly, the others are stopped all the same", failure);
            }
        }
    }

    private static Adapters adapters(HubConfig config) {
        try {
            return AdaptersFile.load(config.adapters(), config.environment()::get, new HttpsDocuments());
        } catch (InvalidAdapters invalid) {
            throw new StartFailure(invalid.getMessage(), invalid);
        }
    }

    /** What went wrong in the words of whom it happened to, without what Camel wraps around it. */
    private static String message(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getClass().getName().startsWith("org.apache.camel.")) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
