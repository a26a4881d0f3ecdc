package hub;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;

/** Parses route files without starting anything. */
final class RouteCheck {
    private RouteCheck() {}

    /** What is wrong with the files of a folder, each with file and line. */
    static List<String> problems(Path folder) {
        List<String> problems = new ArrayList<>();
        for (Path file : IntegratorRoutes.files(folder)) {
            // a context that never starts: routes are read and not made
            CamelContext context = new DefaultCamelContext();
            context.build();
            try {
                PluginHelper.getRoutesLoader(context)
                        .loadRoutes(ResourceHelper.resolveResource(
                                context, "file:" + file.toAbsolutePath().normalize()));
            } catch (Exception failure) {
                problems.add(RouteProblem.of(file, failure));
            } finally {
                context.stop();
            }
        }
        return problems;
    }
}
