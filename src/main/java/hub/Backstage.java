package hub;

import java.util.List;

/** What the command line asks of the house without starting it. */
interface Backstage {
    /**
     * Reads adapters.yaml and the routes folder as a start would.
     *
     * @return what would run, a line each, adapters that are off with their reason
     * @throws RuntimeException whose message lists every problem with its place
     */
    List<String> check(HubConfig config);

    /**
     * Mints an operator credential, replaces the stored hash and writes {@code operator.token}; the former one stops
     * working at once. Works beside a running hub ({@link Database#openBeside}).
     *
     * @return where the new credential stands, for the person at the terminal
     */
    String rotateOperatorCredential(HubConfig config);

    /**
     * Puts the dead entries of an adapter back. Works beside a running hub, which then reads them again.
     *
     * @return how many, for the person at the terminal
     * @throws StartFailure when there is no such adapter, or it reads nothing that could be put back
     */
    String redeliver(HubConfig config, String adapter);
}
