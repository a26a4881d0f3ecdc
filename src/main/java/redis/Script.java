package redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;

/** One Lua file below {@code redis/}; its header says what it takes and returns. */
final class Script {
    private final String text;

    private Script(String text) {
        this.text = text;
    }

    /** @param name path below {@code redis/}, without the ending */
    static Script named(String name) {
        try (InputStream in = Script.class.getResourceAsStream("/redis/" + name + ".lua")) {
            return new Script(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A list of bytes, numbers and lists. */
    List<Object> list(RedissonClient client, List<Object> keys, Object... arguments) {
        return script(client)
                .eval(RScript.Mode.READ_WRITE, text, RScript.ReturnType.MULTI, keys, (Object[]) bytes(arguments));
    }

    CompletionStage<Long> number(RedissonClient client, List<Object> keys, Object... arguments) {
        return script(client).evalAsync(RScript.Mode.READ_WRITE, text, RScript.ReturnType.INTEGER, keys, (Object[])
                bytes(arguments));
    }

    CompletionStage<String> word(RedissonClient client, List<Object> keys, Object... arguments) {
        CompletionStage<byte[]> answer = script(client)
                .evalAsync(RScript.Mode.READ_WRITE, text, RScript.ReturnType.VALUE, keys, (Object[]) bytes(arguments));
        return answer.thenApply(Script::text);
    }

    static String text(Object answered) {
        return new String((byte[]) answered, StandardCharsets.UTF_8);
    }

    private static RScript script(RedissonClient client) {
        return client.getScript(ByteArrayCodec.INSTANCE);
    }

    private static byte[][] bytes(Object... arguments) {
        byte[][] bytes = new byte[arguments.length][];
        for (int i = 0; i < arguments.length; i++) {
            bytes[i] = arguments[i].toString().getBytes(StandardCharsets.UTF_8);
        }
        return bytes;
    }
}
