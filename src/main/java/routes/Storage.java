package routes;

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
    private Storage() {}

    /** Binds both into the context, before any route is added. */
    public static void bind(CamelContext context, DataSource dataSource) {
        SqlComponent sql = new SqlComponent();
        sql.setDataSource(dataSource);
        context.addComponent("sql", sql);
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
     * The endpoint of one statement. The count of its parameters is given, because camel-sql asks the server for it
     * otherwise, at every execution.
     *
     * @param file path below {@code sql/}, without the ending
     * @param parameters how many {@code :#name} it holds
     */
    public static String sql(String file, int parameters) {
        return "sql:classpath:sql/" + file + ".sql?parametersCount=" + parameters;
    }

    /** The same, with the rows in a header of that name and the body kept. */
    public static String sql(String file, int parameters, String outputHeader) {
        return sql(file, parameters) + "&outputHeader=" + outputHeader;
    }
}
