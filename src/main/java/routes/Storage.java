package routes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.ErrorHandlerFactory;
import org.apache.camel.LoggingLevel;
import org.apache.camel.component.sql.SqlComponent;
import org.apache.camel.model.errorhandler.SpringTransactionErrorHandlerDefinition;
import org.apache.camel.spi.CamelLogger;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Puts the {@code sql:} component and {@code transacted()} over one DataSource, so that they share transactions. */
public final class Storage {
    private static final Pattern PARAMETER = Pattern.compile(":#\\w");
    private static final String STATEMENTS = "fixedStatements";

    private Storage() {}

    /** Binds both into the context, before any route is added. */
    public static void bind(CamelContext context, DataSource dataSource) {
        SqlComponent sql = new SqlComponent();
        sql.setDataSource(dataSource);
        context.addComponent("sql", sql);
        context.getRegistry().bind(STATEMENTS, new FixedStatements());
        SpringTransactionPolicy required = new SpringTransactionPolicy();
        required.setTransactionManager(new DataSourceTransactionManager(dataSource));
        required.setPropagationBehaviorName("PROPAGATION_REQUIRED");
        context.getRegistry().bind("PROPAGATION_REQUIRED", required);
    }

    /**
     * For transactions whose caller handles and logs the failure: rolls back, rethrows, says nothing itself. Camel's own
     * message would be a page for each refused batch.
     */
    public static ErrorHandlerFactory callerHandlesFailures() {
        SpringTransactionErrorHandlerDefinition handler = new SpringTransactionErrorHandlerDefinition();
        handler.setRollbackLoggingLevel(LoggingLevel.OFF.name());
        handler.setLoggerBean(new CamelLogger(LoggerFactory.getLogger(Storage.class), LoggingLevel.OFF));
        return handler;
    }

    /**
     * The endpoint of one statement. The count of its parameters is part of it, because camel-sql asks the server for it
     * otherwise, at every execution.
     *
     * @param file path below {@code sql/}, without the ending
     */
    public static String sql(String file) {
        return "sql:classpath:sql/" + file + ".sql?parametersCount=" + parametersOf(file)
                + "&prepareStatementStrategy=#" + STATEMENTS;
    }

    /** The same, with the rows in a header of that name and the body kept. */
    public static String sql(String file, String outputHeader) {
        return sql(file) + "&outputHeader=" + outputHeader;
    }

    private static long parametersOf(String file) {
        try (InputStream in = Storage.class.getResourceAsStream("/sql/" + file + ".sql")) {
            if (in == null) {
                throw new IllegalArgumentException("there is no statement sql/" + file + ".sql");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.strip().startsWith("--"))
                    .flatMap(line -> PARAMETER.matcher(line).results())
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
