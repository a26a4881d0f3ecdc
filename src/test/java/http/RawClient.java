package http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP client that sends exactly the bytes it is told to, and reads answers as a strict one does. */
final class RawClient implements AutoCloseable {
    private static final int PATIENCE = 20_000;

    /**
     * An answer.
     *
     * @param headers names in lower case
     */
    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.get(name.toLowerCase(Locale.ROOT));
        }
    }

    private final Socket socket = new Socket();
    private final InputStream in;

    RawClient(int port) throws IOException {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE);
        socket.setSoTimeout(PATIENCE);
        in = new BufferedInputStream(socket.getInputStream());
    }

    RawClient send(String text) throws IOException {
        return send(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    RawClient get(String path, String... headers) throws IOException {
        return request("GET", path, headers);
    }

    RawClient request(String method, String path, String... headers) throws IOException {
        return send(method + " " + path + " HTTP/1.1\nHost: hub\n" + lines(headers) + "\n");
    }

    RawClient post(String path, byte[] body, String... headers) throws IOException {
        send("POST " + path + " HTTP/1.1\nHost: hub\nContent-Length: " + body.length + "\n" + lines(headers) + "\n");
        return send(body);
    }

    RawClient post(String path, String body, String... headers) throws IOException {
        return post(path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    private static String lines(String... headers) {
        return headers.length == 0 ? "" : String.join("\n", headers) + "\n";
    }

    Answer answer() throws IOException {
        return answer(true);
    }

    Answer answerToHead() throws IOException {
        return answer(false);
    }

    /** Reads the head of an answer alone; what follows is the caller's. */
    Answer head() throws IOException {
        String status = line();
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
            headers.merge(name, line.substring(colon + 1).strip(), (a, b) -> a + ", " + b);
        }
        return new Answer(Integer.parseInt(status.split(" ", 3)[1]), headers, "");
    }

    private Answer answer(boolean withBody) throws IOException {
        Answer head = head();
        if (!withBody || head.status() == 204 || head.status() == 304 || head.status() < 200) {
            return head;
        }
        if ("chunked".equals(head.header("transfer-encoding"))) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (byte[] chunk = chunk(); chunk.length > 0; chunk = chunk()) {
                body.writeBytes(chunk);
            }
            return new Answer(head.status(), head.headers(), body.toString(StandardCharsets.UTF_8));
        }
        byte[] body = bytes(Integer.parseInt(head.header("content-length")));
        return new Answer(head.status(), head.headers(), new String(body, StandardCharsets.UTF_8));
    }

    /** The next chunk of a chunked answer; empty at its end. */
    byte[] chunk() throws IOException {
        byte[] chunk = bytes(Integer.parseInt(line(), 16));
        line();
        return chunk;
    }

    /** Whether the server has ended the connection; waits for it. */
    boolean isClosedByServer() throws IOException {
        try {
            return in.read() == -1;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    /** Whether bytes can be read without waiting. */
    boolean hasAnswer() throws IOException {
        return in.available() > 0;
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the server closed after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b == -1) {
                throw new EOFException("the server closed in the middle of a line: " + line);
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
