package adapters;

import java.util.List;
import java.util.Optional;
import net.Networks;

/** {@code limits:} as adapters.yaml writes it; what is absent is null. */
record LimitsEntry(Integer concurrency, String rate, Integer burst, String ratePerAddress, Integer burstPerAddress) {

    private static final double MINUTE_SECONDS = 60;

    static Limits read(LimitsEntry entry, List<String> allow) {
        Optional<Networks> networks = Optional.ofNullable(allow).map(Networks::of);
        return entry == null
                ? new Limits(Optional.empty(), Optional.empty(), Optional.empty(), networks)
                : new Limits(
                        Optional.ofNullable(entry.concurrency),
                        rate(entry.rate, entry.burst),
                        rate(entry.ratePerAddress, entry.burstPerAddress),
                        networks);
    }

    private static Optional<Limits.Rate> rate(String written, Integer burst) {
        if (written == null) {
            return Optional.empty();
        }
        int slash = written.indexOf('/');
        int number = Integer.parseInt(written.substring(0, slash));
        double perSecond = written.endsWith("/m") ? number / MINUTE_SECONDS : number;
        return Optional.of(new Limits.Rate(perSecond, burst == null ? number : burst));
    }

    static void check(LimitsEntry entry, List<String> allow, AdapterEntry.Complaints complaints) {
        if (allow != null) {
            try {
                Networks.of(allow);
            } catch (IllegalArgumentException unfit) {
                complaints.say("allow", unfit.getMessage());
            }
        }
        if (entry != null && entry.rate == null && entry.burst != null) {
            complaints.say("limits", "burst: means nothing without rate:");
        }
        if (entry != null && entry.ratePerAddress == null && entry.burstPerAddress != null) {
            complaints.say("limits", "burst_per_address: means nothing without rate_per_address:");
        }
    }
}
