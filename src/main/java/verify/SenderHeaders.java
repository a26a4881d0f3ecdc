package verify;

/** What generic senders may say of a delivery: {@code X-Event-Type}, and {@code X-Delivery-Id} or {@code Webhook-Id}. */
final class SenderHeaders {

    private SenderHeaders() {}

    static Verified verified(Request request, String detail) {
        String identity = request.header("X-Delivery-Id");
        if (identity == null) {
            // the identity header of standardwebhooks.com
            identity = request.header("Webhook-Id");
        }
        return new Verified(false, detail, request.header("X-Event-Type"), identity, null);
    }
}
