package hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@code *.camel.yaml} files of the routes folder: code of trusted people, in Camel's own YAML. */
final class IntegratorRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(IntegratorRoutes.class);
    private static final String ENDING = ".camel.yaml";
    private static final long STOP_SECONDS = 10;

    private final CamelContext context;
    private final List<Path> files;
    private final List<String> ids;

    private IntegratorRoutes(CamelContext context, List<Path> files, List<String> ids) {
        this.context = context;
        this.files = files;
        this.ids = ids;
    }

    /**
     * Loads and starts every file of the folder; a folder that is not there holds none.
     *
     * @throws StartFailure naming file and line of what does not parse, or the file whose route does not start
     */
    static IntegratorRoutes load(CamelContext context, Path folder) {
        Set<String> ours = context.getRoutes().stream().map(Route::getId).collect(Collectors.toSet());
        List<Path> files = files(folder);
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            Resource resource = ResourceHelper.resolveResource(
                    context, "file:" + file.toAbsolutePath().normalize());
            try {
                PluginHelper.getRoutesLoader(context).loadRoutes(resource);
            } catch (Exception failure) {
                problems.add(RouteProblem.of(file, failure));
            }
        }
        if (!problems.isEmpty()) {
            throw StartFailure.of("a route cannot run", problems);
        }
        List<String> ids = context.getRoutes().stream()
                .map(Route::getId)
                .filter(id -> !ours.contains(id))
                .toList();
        return new IntegratorRoutes(context, files, ids);
    }

    /** The files in the order in which they are loaded. */
    static List<Path> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new StartFailure("the routes folder " + folder + " cannot be read (" + e.getMessage() + ")", e);
        }
    }

    List<String> lines() {
        return ids.isEmpty()
                ? List.of()
                : List.of("routes      " + String.join(", ", ids) + " from " + files.size() + " file(s)");
    }

    /** Their sources stop; what is on its way through them still ends. */
    void stop() {
        stop(context, ids);
    }

    /** The sources of these routes stop; what is on its way through them still ends. */
    static void stop(CamelContext context, List<String> ids) {
        for (String id : ids) {
            try {
                context.getRouteController().stopRoute(id, STOP_SECONDS, TimeUnit.SECONDS);
            } catch (Exception e) {
                LOG.warn("a route did not stop in time route={} error={}", id, e.getMessage());
            }
        }
    }
}
