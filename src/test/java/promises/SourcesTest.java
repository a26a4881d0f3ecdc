package promises;

import fixtures.Answer;
import fixtures.Deliveries;
import fixtures.HubHome;
import fixtures.StoppableRedis;
import hub.HubConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of source keeps {@link SourceContract}; one hub process serves them all. */
@Timeout(120)
class SourcesTest {
    private static final Path FILE_DROP = Path.of("examples", "file-drop");

    @AutoClose
    private static final StoppableRedis REDIS = StoppableRedis.started();

    @TempDir
    private static Path folder;

    private static SourceContract.House house;

    @BeforeAll
    static void startHub() throws IOException {
        HubHome home = HubHome.in(folder)
                .set(HubConfig.Key.REDIS_URL, REDIS.url())
                .variable("ORDERS_FOLDER", folder.resolve("orders").toString())
                .route("orders.camel.yaml", Files.readString(FILE_DROP.resolve("orders.camel.yaml")))
                .adapters("""
                        adapters:
                          - name: github
                            type: github
                            secret: "{{env:GITHUB_WEBHOOK_SECRET}}"
                          - name: homelab
                            type: generic
                            token: "{{env:HOMELAB_TOKEN}}"
                          - name: orders
                            type: route
                            max_body: 1KiB
                          - name: deploys
                            type: redis-stream
                            body: field:payload
                            id: field:id
                            max_body: 1KiB
                          - name: mails
                            type: redis-list
                            id: body:/id
                            max_body: 1KiB
                        """);
        house = new SourceContract.House(home);
    }

    @AfterAll
    static void stopHub() {
        house.close();
    }

    @Nested
    class Github extends SourceContract {
        Github() {
            super(house, new HttpSource("github", house::uri, Deliveries.signedBy("github"), Deliveries::tampered));
        }
    }

    @Nested
    class Generic extends SourceContract {
        Generic() {
            super(
                    house,
                    new HttpSource(
                            "generic:homelab",
                            house::uri,
                            Deliveries.withTokenFor("homelab"),
                            delivery -> delivery.header("X-Switchboard-Token", "not the token")));
        }
    }

    @Nested
    class FileRoute extends SourceContract {
        FileRoute() {
            super(house, new FileSource("route:orders", folder.resolve("orders")));
        }
    }

    @Nested
    class RedisStream extends SourceContract {
        RedisStream() {
            super(house, new StreamSource("redis:deploys", REDIS, "deploys"));
        }
    }

    @Nested
    class RedisList extends SourceContract {
        RedisList() {
            super(house, new ListSource("redis:mails", REDIS, "mails"));
        }
    }

    /** A sender over HTTP: acknowledged is what was answered with a 2xx. */
    private record HttpSource(
            String name,
            Supplier<URI> hub,
            Deliveries delivery,
            UnaryOperator<Deliveries> spoilt,
            Map<String, CompletableFuture<Answer>> answers)
            implements Source {

        HttpSource(String name, Supplier<URI> hub, Deliveries delivery, UnaryOperator<Deliveries> spoilt) {
            this(name, hub, delivery, spoilt, new ConcurrentHashMap<>());
        }

        @Override
        public String identity(String id) {
            return id;
        }

        @Override
        public void offer(String id) {
            answers.put(id, delivery.withId(id).startTo(hub.get()));
        }

        @Override
        public void offerUnacceptable(String id) {
            answers.put(id, spoilt.apply(delivery.withId(id)).startTo(hub.get()));
        }

        @Override
        public boolean acknowledged(String id) {
            return status(id) / 100 == 2;
        }

        @Override
        public boolean refused(String id) {
            return status(id) / 100 == 4;
        }

        @Override
        public void retry(String id) {
            if (answers.get(id).isDone() && !acknowledged(id)) {
                offer(id);
            }
        }

        /** 0 while there is no answer, and when the connection ended without one. */
        private int status(String id) {
            CompletableFuture<Answer> answer = answers.get(id);
            return answer.isDone() && !answer.isCompletedExceptionally()
                    ? answer.join().status()
                    : 0;
        }
    }

    /** A folder: acknowledged is what was moved to {@code .done}. */
    private record FileSource(String name, Path drop) implements Source {

        @Override
        public String identity(String id) {
            return id + ".json";
        }

        @Override
        public void offer(String id) {
            write(id, "{\"number\":7,\"customer\":\"Ada\"}");
        }

        @Override
        public void offerUnacceptable(String id) {
            write(id, "{\"number\":\"" + "7".repeat(2_000) + "\"}");
        }

        private void write(String id, String text) {
            try {
                Files.deleteIfExists(in(".done", id));
                Files.writeString(drop.resolve(identity(id)), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean acknowledged(String id) {
            return Files.exists(in(".done", id));
        }

        @Override
        public boolean refused(String id) {
            return Files.exists(in(".refused", id));
        }

        @Override
        public void retry(String id) {
            // the route reads it again by itself
        }

        private Path in(String folder, String id) {
            return drop.resolve(folder).resolve(identity(id));
        }
    }

    /** A producer of a stream: acknowledged is what the group has read and nobody has pending. */
    private record StreamSource(String name, StoppableRedis redis, String stream, Map<String, String> entries)
            implements Source {

        StreamSource(String name, StoppableRedis redis, String stream) {
            this(name, redis, stream, new ConcurrentHashMap<>());
        }

        @Override
        public String identity(String id) {
            return id;
        }

        @Override
        public void offer(String id) {
            entries.put(id, redis.add(stream, "id", id, "payload", "{\"number\":7}"));
        }

        @Override
        public void offerUnacceptable(String id) {
            entries.put(id, redis.add(stream, "id", id, "payload", "7".repeat(2_000)));
        }

        @Override
        public boolean acknowledged(String id) {
            String entry = entries.get(id);
            boolean read = redis.list("XINFO", "GROUPS", stream).stream()
                    .map(reply -> StoppableRedis.map((List<?>) reply).get("last-delivered-id"))
                    .anyMatch(last -> millis((String) last) >= millis(entry));
            return read
                    && redis.list("XPENDING", stream, "switchboard", entry, entry, 1)
                            .isEmpty()
                    && !refused(id);
        }

        private static long millis(String id) {
            return Long.parseLong(id.substring(0, id.indexOf('-')));
        }

        @Override
        public boolean refused(String id) {
            return redis.entries(stream + ":dead").stream().anyMatch(dead -> id.equals(dead.get("id")));
        }

        @Override
        public void retry(String id) {
            // the hub reads it again by itself
        }
    }

    /** A producer of a list: acknowledged is what stands neither in the list nor among what is processed. */
    private record ListSource(String name, StoppableRedis redis, String list) implements Source {

        @Override
        public String identity(String id) {
            return id;
        }

        @Override
        public void offer(String id) {
            push("{\"id\":\"" + id + "\"}");
        }

        @Override
        public void offerUnacceptable(String id) {
            push("{\"id\":\"" + id + "\",\"filler\":\"" + "7".repeat(2_000) + "\"}");
        }

        private void push(String element) {
            redis.ask("RPUSH", list, element);
        }

        @Override
        public boolean acknowledged(String id) {
            return !refused(id)
                    && redis.list("LRANGE", list, 0, -1).stream().noneMatch(isOf(id))
                    && redis.list("KEYS", list + ":processing:*").stream()
                            .flatMap(held -> redis.list("HVALS", held).stream())
                            .noneMatch(isOf(id));
        }

        @Override
        public boolean refused(String id) {
            return redis.entries(list + ":dead").stream()
                    .map(dead -> dead.get("element"))
                    .anyMatch(isOf(id));
        }

        private static Predicate<Object> isOf(String id) {
            return element -> ((String) element).contains(id);
        }

        @Override
        public void retry(String id) {
            // the hub reads it again by itself
        }
    }
}
