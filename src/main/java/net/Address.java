package net;

import inet.ipaddr.AddressStringException;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import inet.ipaddr.IncompatibleAddressException;
import inet.ipaddr.ipv6.IPv6Address;
import java.util.Optional;

/** An IP address. One of IPv4 that is written as one of IPv6 ({@code ::ffff:192.0.2.1}) is the one of IPv4. */
public final class Address {
    private static final int SITE_BITS = 64;

    /** Only whole addresses: no names, wildcards, ranges or short forms. */
    static final IPAddressStringParameters STRICT = new IPAddressStringParameters.Builder()
            .allowEmpty(false)
            .allowAll(false)
            .allowSingleSegment(false)
            .allowWildcardedSeparator(false)
            .allowMask(false)
            .getIPv4AddressParametersBuilder()
            .allow_inet_aton(false)
            .setRangeOptions(inet.ipaddr.AddressStringParameters.RangeParameters.NO_RANGE)
            .getParentBuilder()
            .getIPv6AddressParametersBuilder()
            .allowZone(false)
            .allowBase85(false)
            .setRangeOptions(inet.ipaddr.AddressStringParameters.RangeParameters.NO_RANGE)
            .getParentBuilder()
            .toParams();

    private final IPAddress address;

    private Address(IPAddress address) {
        this.address = address;
    }

    /** The address that the text is; empty when it is none. A port or brackets are not part of one. */
    public static Optional<Address> of(String text) {
        if (text.indexOf('/') >= 0) {
            return Optional.empty();
        }
        return parsed(text).map(address -> new Address(unmapped(address)));
    }

    static Optional<IPAddress> parsed(String text) {
        try {
            return Optional.ofNullable(new IPAddressString(text, STRICT).toAddress());
        } catch (AddressStringException | IncompatibleAddressException none) {
            return Optional.empty();
        }
    }

    static IPAddress unmapped(IPAddress address) {
        if (address.isIPv6()) {
            IPv6Address six = address.toIPv6();
            if (six.isIPv4Mapped()) {
                return six.getEmbeddedIPv4Address();
            }
        }
        return address;
    }

    boolean isIn(IPAddress network) {
        return network.contains(address);
    }

    /** Who is counted as one: the address itself, of IPv6 its network of 64 bits, which one site has to itself. */
    public String site() {
        return address.isIPv6() ? address.toPrefixBlock(SITE_BITS).toCanonicalString() : address.toCanonicalString();
    }

    /** In its usual form, {@code 192.0.2.1} or {@code 2001:db8::1}. */
    @Override
    public String toString() {
        return address.toCanonicalString();
    }
}
