package hub;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Opens the database beside everything else that a start does: an embedded server takes a second. */
final class DatabaseOpening {
    private final CompletableFuture<Database> opened = new CompletableFuture<>();
    private final Thread opener;

    DatabaseOpening(HubConfig config) {
        opener = new Thread(
                () -> {
                    try {
                        opened.complete(Database.open(config));
                    } catch (RuntimeException | Error failure) {
                        opened.completeExceptionally(failure);
                    }
                },
                "database-opener");
        opener.setDaemon(true);
        opener.start();
    }

    /**
     * Waits as long as the configuration says.
     *
     * @throws StartFailure why there is no database, or that the wait was interrupted
     */
    Database await() {
        try {
            return opened.get();
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof StartFailure known
                    ? known
                    : new StartFailure(String.valueOf(failure.getCause().getMessage()), failure.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new StartFailure("stopped while starting", stopped);
        }
    }

    /** A start that ends early leaves no server behind. */
    void giveUp() {
        opener.interrupt();
        opened.handle((database, failure) -> {
                    if (database != null) {
                        database.close();
                    }
                    return null;
                })
                .join();
    }
}
