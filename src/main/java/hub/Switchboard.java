package hub;

/** The command line. */
public final class Switchboard {
    private Switchboard() {}

    public static void main(String[] args) {
        System.out.println("switchboard");
    }
}
