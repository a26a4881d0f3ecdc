package http;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * Collects a body. Grows with what arrives and never with what is announced; an announced length only ends the growth, so
 * that an honest body is not copied once more at its end.
 */
final class BodyBuffer {
    private static final int FIRST = 1024;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final int ceiling;
    private byte[] bytes = new byte[0];
    private int size;

    /** @param announced the Content-Length, or {@link RequestHead#UNKNOWN} */
    BodyBuffer(long announced) {
        this.ceiling = announced < 0 ? LARGEST_ARRAY : (int) Math.min(announced, LARGEST_ARRAY);
    }

    int size() {
        return size;
    }

    void append(Buffer chunk) {
        int needed = Math.addExact(size, chunk.length());
        if (needed > bytes.length) {
            long roomy = Math.max(Math.max(FIRST, needed), 2L * bytes.length);
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(roomy, ceiling)));
        }
        chunk.getBytes(bytes, size);
        size = needed;
    }

    byte[] toBytes() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
