package hub;

import java.lang.reflect.Proxy;

/** SIGHUP, which by custom asks a server to read its files again and would else end the process. */
final class HangUp {
    private HangUp() {}

    /**
     * From now on the signal calls this, on a thread of its own. Where the platform has no such signal (Windows) or no
     * {@code sun.misc.Signal}, which every JDK has so far and promises nothing of, nothing happens: changed files are
     * noticed all the same.
     */
    static void call(Runnable handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
            Object onSignal = Proxy.newProxyInstance(
                    HangUp.class.getClassLoader(), new Class<?>[] {signalHandler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            handler.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, signalHandler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), onSignal);
        } catch (ReflectiveOperationException noSuchSignal) {
            return;
        }
    }
}
