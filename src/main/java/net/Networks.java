package net;

import inet.ipaddr.IPAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A list of networks in CIDR notation (RFC 4632): {@code 192.0.2.0/24}, {@code 2001:db8::/32}, or single addresses. */
public final class Networks {
    /** No network, which holds nobody. */
    public static final Networks NONE = new Networks(List.of());

    private final List<IPAddress> networks;

    private Networks(List<IPAddress> networks) {
        this.networks = networks;
    }

    /**
     * @throws IllegalArgumentException naming the one that is no network, and why
     */
    public static Networks of(List<String> written) {
        List<IPAddress> networks = new ArrayList<>();
        for (String network : written) {
            IPAddress parsed = Address.parsed(network.strip())
                    .orElseThrow(() -> new IllegalArgumentException("\"" + network
                            + "\" is no network: it reads 192.0.2.0/24, 2001:db8::/32 or is an address"));
            IPAddress block = parsed.toPrefixBlock();
            if (!block.getLower().equals(parsed.getLower())) {
                throw new IllegalArgumentException("\"" + network + "\" has bits beyond its prefix; did you mean "
                        + block.toCanonicalString() + "?");
            }
            networks.add(Address.unmapped(block));
        }
        return new Networks(List.copyOf(networks));
    }

    /** Whether the address is in one of them. Text that is no address is in none. */
    public boolean contain(String address) {
        Optional<Address> parsed = Address.of(address);
        return parsed.isPresent() && networks.stream().anyMatch(parsed.get()::isIn);
    }

    public boolean isEmpty() {
        return networks.isEmpty();
    }

    @Override
    public String toString() {
        return networks.stream().map(IPAddress::toCanonicalString).toList().toString();
    }
}
