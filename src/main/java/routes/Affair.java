package routes;

import access.Caller;
import access.Credential;
import com.github.f4b6a3.uuid.UuidCreator;
import http.HttpCall;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import model.Refusal;
import org.apache.camel.Exchange;

/** A call about who may do what: what its statements are told, and what is answered of their rows. */
final class Affair {
    /** Exchange property: the credential that was minted for this call, shown in its answer and never again. */
    private static final String MINTED = "SwitchboardMinted";

    private static final String KEPT = "SwitchboardKeptRow";
    private static final String VERDICT = "verdict";

    private Affair() {}

    /** Who asks, and what the audit log is told of it. */
    static Map<String, Object> of(Exchange exchange) {
        Caller caller = Caller.of(exchange);
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("account_id", caller.accountId());
        parameters.put("credential_id", caller.credentialId());
        parameters.put("actor", caller.actor());
        parameters.put("source_ip", HttpCall.of(exchange).remoteAddress());
        parameters.put("audit_id", newId());
        return parameters;
    }

    /** A call that says nothing more. */
    static void read(Exchange exchange) {
        exchange.getMessage().setBody(of(exchange));
    }

    /** A call about what the path names; what is no UUID is nothing. */
    static void readId(Exchange exchange) {
        exchange.getMessage().setBody(ofId(exchange));
    }

    static Map<String, Object> ofId(Exchange exchange) {
        Map<String, Object> parameters = of(exchange);
        parameters.put("id", id(exchange));
        return parameters;
    }

    /** The UUID in the path. */
    static String id(Exchange exchange) {
        HttpCall call = HttpCall.of(exchange);
        return TodoRoutes.uuid(call.pathParam("id")).map(UUID::toString).orElseThrow(() -> Door.unknown(call.path()));
    }

    /** The name in the path; what can be none is nothing. */
    static String name(Exchange exchange, String parameter) {
        HttpCall call = HttpCall.of(exchange);
        String name = call.pathParam(parameter);
        if (!Names.isOne(name)) {
            throw Door.unknown(call.path());
        }
        return name;
    }

    static String newId() {
        return UuidCreator.getTimeOrderedEpoch().toString();
    }

    /** Mints a credential: its hash for the statement, itself for the answer. */
    static void mint(Exchange exchange, Map<String, Object> parameters) {
        Credential minted = Credential.mint();
        exchange.setProperty(MINTED, minted);
        parameters.put("hash", minted.hash());
        parameters.put("prefix", minted.prefix());
    }

    /** A page by id: the statement is asked for one row more than the caller. */
    static Map<String, Object> page(Exchange exchange, String bound, Function<String, Object> parse) {
        QueryParameters query = QueryParameters.of(HttpCall.of(exchange));
        Map<String, Object> parameters = of(exchange);
        parameters.put("limit", query.limit() + 1);
        parameters.put(bound, query.cursor(parse));
        query.refuseIfWrong();
        return parameters;
    }

    static void readPageById(Exchange exchange) {
        exchange.getMessage()
                .setBody(page(
                        exchange,
                        "before",
                        text -> TodoRoutes.uuid(text).map(UUID::toString).orElse(null)));
    }

    static Map<String, Object> pageByName(Exchange exchange) {
        return page(exchange, "after", text -> Names.isOne(text) ? text : null);
    }

    /** The rows of a page, and where the next one begins. */
    static void answerPage(Exchange exchange, String field, String key) {
        List<?> rows = exchange.getMessage().getBody(List.class);
        int limit = QueryParameters.of(HttpCall.of(exchange)).limit();
        boolean more = rows.size() > limit;
        List<?> shown = more ? rows.subList(0, limit) : rows;
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(field, shown);
        answer.put(
                "next_cursor",
                more ? ((Map<?, ?>) shown.get(limit - 1)).get(key).toString() : null);
        HttpAnswers.ok(exchange, answer);
    }

    /**
     * The one row of a statement, without its verdict.
     *
     * @throws Refusal {@code not_found} when there is none, and what else its verdict says
     */
    @SuppressWarnings("unchecked")
    static Map<String, Object> row(Exchange exchange) {
        List<?> rows = exchange.getMessage().getBody(List.class);
        if (rows.isEmpty()) {
            throw Door.unknown(HttpCall.of(exchange).path());
        }
        Map<String, Object> row = new LinkedHashMap<>((Map<String, Object>) rows.get(0));
        Object verdict = row.remove(VERDICT);
        if (verdict != null && !"changed".equals(verdict)) {
            throw refusal((String) verdict);
        }
        return row;
    }

    private static Refusal refusal(String verdict) {
        return switch (verdict) {
            case "name_taken" -> nameTaken();
            case "not_pending" -> new Refusal(Refusal.Code.NOT_POSSIBLE, "it was decided already (not_possible)");
            case "ceiling" ->
                new Refusal(
                        Refusal.Code.LIMIT_REACHED,
                        "beyond the webhook ceiling of the account or the endpoint: too many, or a type or queue that it does"
                                + " not allow (limit_reached)");
            case "other_kind" ->
                new FieldError("secret", "is what a provider signs with: required for its webhooks, and for no other")
                        .refusal();
            case "wider" ->
                new FieldError("queues", "must be among those that were asked for; so must verbs").refusal();
            default ->
                new Refusal(
                        Refusal.Code.LIMIT_REACHED,
                        "the account has as many of these as it may; remove some first (limit_reached)");
        };
    }

    static Refusal nameTaken() {
        return new Refusal(Refusal.Code.NAME_TAKEN, "that name is in use; take another one (name_taken)");
    }

    static void answerRow(Exchange exchange) {
        HttpAnswers.ok(exchange, row(exchange));
    }

    /** Checks the row as {@link #row} does, and keeps it for an answer after the steps that follow. */
    static void keepRow(Exchange exchange) {
        exchange.setProperty(KEPT, row(exchange));
    }

    static void answerKept(Exchange exchange) {
        HttpAnswers.ok(exchange, exchange.getProperty(KEPT));
    }

    /** What was kept of the row, and the minted credential beside it; null where none was needed. */
    @SuppressWarnings("unchecked")
    static void answerKept(Exchange exchange, int status, String field) {
        Map<String, Object> kept = new LinkedHashMap<>(exchange.getProperty(KEPT, Map.class));
        HttpAnswers.json(exchange, status, withMinted(kept, exchange, field));
    }

    static void answerMade(Exchange exchange) {
        HttpAnswers.json(exchange, 201, row(exchange));
    }

    /** The row, made just now, and the minted credential beside it. */
    static void answerMinted(Exchange exchange, int status, String field) {
        HttpAnswers.json(exchange, status, withMinted(row(exchange), exchange, field));
    }

    /** What was kept of the row, what was read since, and the minted credential beside it. */
    @SuppressWarnings("unchecked")
    static void answerMinted(Exchange exchange, String field) {
        Map<String, Object> answer = new LinkedHashMap<>();
        if (exchange.getMessage().getBody() instanceof List<?>) {
            answer.putAll(row(exchange));
        }
        answer.putAll(exchange.getProperty(KEPT, Map.class));
        HttpAnswers.ok(exchange, withMinted(answer, exchange, field));
    }

    private static Map<String, Object> withMinted(Map<String, Object> row, Exchange exchange, String field) {
        Credential minted = exchange.getProperty(MINTED, Credential.class);
        row.put(field, minted == null ? null : minted.reveal());
        return row;
    }
}
