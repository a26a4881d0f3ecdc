package hub;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second JVM that opens the database of a data folder and holds it, to be killed. */
final class HolderProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private HolderProcess(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Runs in the second JVM. */
    public static void main(String[] args) throws IOException {
        try (Database database = Database.open(HubConfig.builder()
                .set(HubConfig.Key.DATA_DIR, args[0])
                .set(HubConfig.Key.DATABASE_PROGRAMS, OwnServer.PROGRAMS)
                .build())) {
            System.out.println("holding " + database.facts().url());
            System.out.flush();
            int end = System.in.read();
            System.out.println("closing " + end);
        }
    }

    /** Returns once the database is open there. */
    static HolderProcess of(Path dataDir) throws IOException {
        HolderProcess holder = new HolderProcess(java(HolderProcess.class, List.of(dataDir.toString())));
        String line = holder.output.readLine();
        List<String> said = new ArrayList<>();
        while (line != null && !line.startsWith("holding")) {
            said.add(line);
            line = holder.output.readLine();
        }
        if (line == null) {
            throw new IOException("the second JVM did not open its database: " + said);
        }
        return holder;
    }

    /** A JVM of this kind, with this class path. */
    static Process java(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    long pid() {
        return process.pid();
    }

    /** kill -9. */
    void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
