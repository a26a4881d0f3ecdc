package routes;

import access.Vault;
import adapters.AdapterRegistry;
import adapters.AdapterType;
import adapters.StoredWebhook;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import model.Refusal;
import org.apache.camel.Exchange;

/** The webhooks that the database holds, their secrets sealed, as the registry wants them. */
public final class StoredWebhooks {
    private final AdapterRegistry registry;
    private final Optional<Vault> vault;

    /** @param vault opens and seals providers' secrets; empty where the operator gave no key */
    public StoredWebhooks(AdapterRegistry registry, Optional<Vault> vault) {
        this.registry = registry;
        this.vault = vault;
    }

    /** Takes over the rows of {@code webhooks/live.sql}. */
    public void refresh(Exchange exchange) {
        List<?> rows = exchange.getMessage().getBody(List.class);
        registry.store(rows.stream().map(row -> webhook((Map<?, ?>) row)).toList());
    }

    private StoredWebhook webhook(Map<?, ?> row) {
        String id = (String) row.get("id");
        Long until = (Long) row.get("former_until");
        return new StoredWebhook(
                id,
                (Long) row.get("account_id"),
                (String) row.get("account"),
                (String) row.get("name"),
                type((String) row.get("type")),
                (String) row.get("queue"),
                new StoredWebhook.Shared((byte[]) row.get("token_hash"), opener((byte[]) row.get("secret"), id), null),
                until == null
                        ? Optional.empty()
                        : Optional.of(new StoredWebhook.Shared(
                                (byte[]) row.get("former_token_hash"),
                                opener((byte[]) row.get("former_secret"), id),
                                Instant.ofEpochMilli(until))),
                (Long) row.get("changed_at"));
    }

    private Supplier<Optional<String>> opener(byte[] sealed, String id) {
        return () -> sealed == null ? Optional.empty() : vault.flatMap(open -> open.open(sealed, id));
    }

    private static AdapterType type(String word) {
        return AdapterType.of(word).orElse(AdapterType.GENERIC);
    }

    /** A provider's secret for the database. */
    byte[] seal(String secret, String id) {
        return vault.orElseThrow(() -> new Refusal(
                        Refusal.Code.NOT_POSSIBLE,
                        "this hub keeps no providers' secrets: its operator has set no SWITCHBOARD_SECRETS_KEY"
                                + " (not_possible)"))
                .seal(secret, id);
    }
}
