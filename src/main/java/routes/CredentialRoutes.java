package routes;

import static routes.Storage.sql;

import access.Gate;
import access.OperatorCredential;
import org.apache.camel.builder.RouteBuilder;

/** Credentials: finding who bears one, and the operator's at start. */
public final class CredentialRoutes extends RouteBuilder {
    @Override
    public void configure() {
        errorHandler(noErrorHandler());

        from(Gate.FIND).routeId("credential-find").to(sql("access/find_credential"));

        // of several nodes that start at once, one mints
        from(OperatorCredential.MINT_IF_NONE)
                .routeId("operator-credential-mint")
                .errorHandler(Storage.callerHandlesFailures())
                .transacted()
                .to(sql("access/lock_account", "Locked"))
                .to(sql("access/count_operator_credentials", OperatorCredential.LIVE) + "&outputType=SelectOne")
                .filter(header(OperatorCredential.LIVE).isEqualTo(0))
                .to(sql("access/insert_credential", "Inserted"))
                .end();

        from(OperatorCredential.REPLACE)
                .routeId("operator-credential-replace")
                .errorHandler(Storage.callerHandlesFailures())
                .transacted()
                .to(sql("access/lock_account", "Locked"))
                .to(sql("access/insert_credential", "Inserted"))
                .to(sql("access/revoke_other_credentials", "Revoked"));
    }
}
