package http;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.AsyncProcessorSupport;

/** The waiting step of a route: an exchange stays here, without a thread, until it is called or nobody waits for it. */
final class ParkingLot extends AsyncProcessorSupport {
    private final Map<Exchange, AsyncCallback> parked = new ConcurrentHashMap<>();
    private final List<HttpCall.Gone> gone = new CopyOnWriteArrayList<>();
    private final List<String> toldOn = new CopyOnWriteArrayList<>();

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        parked.put(exchange, callback);
        HttpCall.of(exchange).onGone(why -> {
            gone.add(why);
            toldOn.add(Thread.currentThread().getName());
            leave(exchange, "gone");
        });
        return false;
    }

    /** Completes everybody who waits, where the given executor says. */
    void callAll(Executor executor) {
        parked.keySet().forEach(exchange -> executor.execute(() -> leave(exchange, "called")));
    }

    private void leave(Exchange exchange, String body) {
        AsyncCallback callback = parked.remove(exchange);
        if (callback != null) {
            exchange.getMessage().setBody(body);
            callback.done(false);
        }
    }

    int parked() {
        return parked.size();
    }

    List<HttpCall.Gone> gone() {
        return gone;
    }

    List<String> toldOn() {
        return toldOn;
    }
}
