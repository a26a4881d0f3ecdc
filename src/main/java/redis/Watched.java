package redis;

/** A consumer that says how it stands. */
public interface Watched {
    Standing standing();

    /** Takes nothing more, and returns at once; what was taken goes on. Stopping it then is quick. */
    void leave();
}
