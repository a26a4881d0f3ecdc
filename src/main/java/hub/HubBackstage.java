package hub;

import access.Credential;
import access.OperatorCredential;
import adapters.Adapter;
import adapters.AdapterRegistry;
import adapters.AdapterType;
import adapters.Adapters;
import adapters.AdaptersFile;
import adapters.Nearest;
import adapters.Pull;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import redis.Connections;
import redis.DeadLetters;
import routes.CredentialRoutes;
import routes.Storage;

/** What the command line does without a running hub. */
final class HubBackstage implements Backstage {
    @Override
    public List<String> check(HubConfig config) {
        List<String> problems = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        try {
            Adapters adapters = AdaptersFile.load(config.adapters(), config.environment()::get);
            URI base = config.publicUrl().orElse(URI.create("http://" + config.httpHost() + ":" + config.httpPort()));
            lines.addAll(AdapterLines.of(new AdapterRegistry(adapters, accounts(adapters)).states(), base));
        } catch (RuntimeException invalid) {
            problems.add(invalid.getMessage());
        }
        problems.addAll(RouteCheck.problems(config.routes()));
        IntegratorRoutes.files(config.routes()).forEach(file -> lines.add("routes      " + file));
        if (!problems.isEmpty()) {
            throw new StartFailure(String.join(System.lineSeparator(), problems));
        }
        return lines;
    }

    /** Their ids do not matter to what is shown. */
    private static Map<String, Long> accounts(Adapters adapters) {
        Map<String, Long> accounts = new HashMap<>(Map.of(AdapterRegistry.OPERATOR, 1L));
        adapters.all().stream()
                .map(Adapter::account)
                .flatMap(Optional::stream)
                .forEach(account -> accounts.put(account, 0L));
        return accounts;
    }

    @Override
    public String rotateOperatorCredential(HubConfig config) {
        Credential minted = Credential.mint();
        try (Database database = Database.openBeside(config)) {
            replace(database, minted);
        }
        OperatorTokenFile.write(config, minted);
        return "a new operator credential is in " + config.operatorTokenFile() + "; the former one no longer works";
    }

    private static void replace(Database database, Credential minted) {
        CamelContext context = new DefaultCamelContext();
        try {
            Storage.bind(context, database.pool());
            context.addRoutes(new CredentialRoutes());
            context.start();
            new OperatorCredential(context).replaceWith(minted);
        } catch (Exception failure) {
            throw new StartFailure("the operator credential was not replaced (" + failure.getMessage() + ")", failure);
        } finally {
            context.stop();
        }
    }

    @Override
    public String redeliver(HubConfig config, String name) {
        Adapters adapters = AdaptersFile.load(config.adapters(), config.environment()::get);
        Adapter adapter = adapters.named(name)
                .orElseThrow(() -> new StartFailure("adapters.yaml declares no adapter "
                        + name
                        + Nearest.hint(
                                name, adapters.all().stream().map(Adapter::name).toList())));
        Pull pull = adapter.pull()
                .filter(found -> adapter.type().entrance() != AdapterType.Entrance.CHANNEL)
                .orElseThrow(() -> new StartFailure("the adapter " + name + " reads no stream or list of Redis"));
        adapter.offReason().ifPresent(reason -> {
            throw new StartFailure("the adapter " + name + " is off: " + reason);
        });
        try (Connections connections = new Connections(config.redisUrls(), "redeliver")) {
            DeadLetters.Redelivered back = adapter.type().entrance() == AdapterType.Entrance.STREAM
                    ? DeadLetters.putBackToStream(connections, pull.connection(), pull.key())
                    : DeadLetters.putBackToList(connections, pull.connection(), pull.key());
            return entries(back.entries()) + " put back to " + pull.key()
                    + (back.left() == 0 ? "" : "; " + entries(back.left()) + " left, of more than 3,500 fields");
        }
    }

    private static String entries(long number) {
        return number + (number == 1 ? " entry" : " entries");
    }
}
