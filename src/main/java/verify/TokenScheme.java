package verify;

import java.util.List;

/**
 * How a sender that signs nothing shows who it is.
 *
 * @param places where the token may stand; one that matches is enough, whatever stands in the others
 * @param eventType what happened
 * @param identity the same for every copy of a delivery
 */
public record TokenScheme(List<TokenPlace> places, Selection eventType, Selection identity) {

    /** Any sender that can set a header; the identity header beside ours is that of standardwebhooks.com. */
    public static final TokenScheme GENERIC = new TokenScheme(
            List.of(TokenPlace.of("bearer"), TokenPlace.of("header:X-Switchboard-Token"), TokenPlace.of("query:token")),
            Selection.of("header:X-Event-Type"),
            Selection.of("header:X-Delivery-Id", "header:Webhook-Id"));

    public TokenScheme {
        places = List.copyOf(places);
    }

    /** What a request that was let in says of itself. */
    Verified verified(Reading reading, String detail, String secret) {
        return new Verified(false, detail, eventType.in(reading), identity.in(reading), null, secret);
    }

    /** The places for a person: {@code Authorization: Bearer, X-Switchboard-Token or ?token=}. */
    String shown() {
        StringBuilder shown = new StringBuilder();
        for (int at = 0; at < places.size(); at++) {
            shown.append(at == 0 ? "" : at == places.size() - 1 ? " or " : ", ")
                    .append(places.get(at).shown());
        }
        return shown.toString();
    }
}
