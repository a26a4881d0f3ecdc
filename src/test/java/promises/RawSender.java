package promises;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A sender that sends exactly these bytes, when it is told to, and may never come to an end. */
final class RawSender implements AutoCloseable {
    private final Socket socket;

    private RawSender(URI hub) throws IOException {
        socket = new Socket(hub.getHost(), hub.getPort());
        socket.setSoTimeout(20_000);
    }

    static RawSender to(URI hub) throws IOException {
        return new RawSender(hub);
    }

    /** A head; its lines end as HTTP wants it, and the empty line follows. */
    RawSender head(String lines) throws IOException {
        return send((lines.strip() + "\nHost: hub\n\n").replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    RawSender send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Whether something of an answer is there. */
    boolean isAnswered() throws IOException {
        return socket.getInputStream().available() > 0;
    }

    /** The status of the answer; waits for it. */
    int status() throws IOException {
        String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                .readLine();
        if (line == null) {
            throw new IOException("the connection ended without an answer");
        }
        return Integer.parseInt(line.split(" ", 3)[1]);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
