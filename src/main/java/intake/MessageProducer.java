package intake;

import adapters.Adapter;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import model.Delivery;
import model.Family;
import model.TrustMode;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.Expression;
import org.apache.camel.Message;
import org.apache.camel.spi.Language;
import org.apache.camel.support.DefaultAsyncProducer;

/**
 * The end of an integrator's route. Its receipts are handed over on threads of its own, whose places are taken at admission:
 * what the route does after {@code intake:} delays no other delivery.
 */
final class MessageProducer extends DefaultAsyncProducer {
    private static final int THREADS = 4;
    private static final int PLACES = 1_000;

    private final Intake intake;
    private final IntakeComponent component;
    private final Adapter adapter;
    private final Semaphore places = new Semaphore(PLACES);
    private Expression externalId;
    private Expression eventType;
    private ThreadPoolExecutor after;

    MessageProducer(IntakeEndpoint endpoint, IntakeComponent component, Adapter adapter) {
        super(endpoint);
        this.intake = component.intake();
        this.component = component;
        this.adapter = adapter;
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        IntakeEndpoint endpoint = (IntakeEndpoint) getEndpoint();
        externalId = simple(endpoint.getExternalId());
        eventType = simple(endpoint.getEventType());
    }

    private Expression simple(String text) {
        if (text == null) {
            return null;
        }
        Language simple = getEndpoint().getCamelContext().resolveLanguage("simple");
        Expression expression = simple.createExpression(text);
        expression.init(getEndpoint().getCamelContext());
        return expression;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        after = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                60,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> new Thread(task, "after-intake-" + adapter.name()));
        after.allowCoreThreadTimeOut(true);
    }

    @Override
    protected void doStop() throws Exception {
        after.shutdown();
        super.doStop();
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        if (!places.tryAcquire()) {
            return refused(exchange, callback, Intake.overloaded(adapter.name()));
        }
        AsyncCallback leaving = doneSync -> {
            try {
                callback.done(doneSync);
            } finally {
                places.release();
            }
        };
        try {
            return Completion.of(intake.acceptUncounted(delivery(exchange), after), exchange, leaving);
        } catch (Exception refusal) {
            return refused(exchange, leaving, refusal);
        }
    }

    private static boolean refused(Exchange exchange, AsyncCallback callback, Exception refusal) {
        exchange.setException(refusal);
        callback.done(true);
        return true;
    }

    private Delivery delivery(Exchange exchange) throws Exception {
        Message message = exchange.getMessage();
        byte[] body = message.getBody() == null ? new byte[0] : message.getMandatoryBody(byte[].class);
        adapter.checkSize(body);
        return new Delivery(
                component.adapters().accountId(adapter.account()),
                adapter.name(),
                adapter.source(),
                Family.QUEUE,
                TrustMode.QUEUE,
                false,
                "route " + exchange.getFromRouteId(),
                text(eventType, exchange),
                text(externalId, exchange),
                message.getHeader(Exchange.CONTENT_TYPE, String.class),
                headers(message),
                body,
                null,
                null,
                null);
    }

    private static String text(Expression expression, Exchange exchange) {
        String value = expression == null ? null : expression.evaluate(exchange, String.class);
        return value == null || value.isEmpty() ? null : value;
    }

    /** What the source said; Camel's own headers steer routes and are no part of the delivery. */
    private static Map<String, String> headers(Message message) {
        SentHeaders headers = new SentHeaders();
        message.getHeaders().forEach((name, value) -> {
            boolean plain = value instanceof String || value instanceof Number || value instanceof Boolean;
            if (plain && !name.regionMatches(true, 0, "camel", 0, 5)) {
                headers.put(name, value.toString());
            }
        });
        return headers.redacted();
    }
}
