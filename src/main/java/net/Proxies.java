package net;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who really calls, and at which address, when a proxy that we trust stands in front. What anybody else says about that in
 * {@code X-Forwarded-*} or {@code Forwarded} (RFC 7239) means nothing.
 */
public final class Proxies {
    /** Believes nobody. */
    public static final Proxies NONE = new Proxies(Networks.NONE, Optional.empty());

    /** Longer chains are nobody's. */
    private static final int MOST_HOPS = 32;

    /** A host name or address, maybe with a port. */
    private static final Pattern HOST = Pattern.compile(
            "[A-Za-z0-9](?:[A-Za-z0-9.-]{0,253}[A-Za-z0-9])?(?::[0-9]{1,5})?|\\[[0-9A-Fa-f:.]+](?::[0-9]{1,5})?");

    private static final Pattern FORWARDED = Pattern.compile("(?i)(for|proto|host)=(?:\"([^\"]*)\"|([^;,\\s\"]*))");
    private static final Pattern WITH_PORT =
            Pattern.compile("([0-9.]+):[0-9]{1,5}|\\[([0-9A-Fa-f:.]+)](?::[0-9]{1,5})?");

    private final Networks trusted;
    private final Optional<URI> publicUrl;

    /**
     * @param trusted where proxies stand that we believe
     * @param publicUrl where senders reach the hub, whatever headers say
     */
    public Proxies(Networks trusted, Optional<URI> publicUrl) {
        this.trusted = trusted;
        this.publicUrl = publicUrl;
    }

    /**
     * The address of who calls: the peer's own, or what a trusted proxy forwards, from the right as far as proxies are
     * trusted. An entry that is no address ends the chain at the proxy that gave it.
     *
     * @param peer the other end of the connection
     * @param header looks up a header, values of a repeated one joined by a comma; null when it was not sent
     */
    public String client(String peer, UnaryOperator<String> header) {
        if (trusted.isEmpty() || !trusted.contain(peer)) {
            return peer;
        }
        List<String> hops = hops(header);
        Collections.reverse(hops);
        String client = peer;
        for (String hop : hops) {
            Optional<Address> address = Address.of(withoutPort(hop));
            if (address.isEmpty()) {
                return client;
            }
            client = address.get().toString();
            if (!trusted.contain(client)) {
                return client;
            }
        }
        return client;
    }

    private static List<String> hops(UnaryOperator<String> header) {
        String forwardedFor = header.apply("X-Forwarded-For");
        List<String> hops = new ArrayList<>();
        if (forwardedFor != null) {
            for (String hop : forwardedFor.split(",", -1)) {
                hops.add(hop.strip());
            }
        } else {
            String forwarded = header.apply("Forwarded");
            Matcher parameter = FORWARDED.matcher(forwarded == null ? "" : forwarded);
            while (parameter.find()) {
                if (parameter.group(1).equalsIgnoreCase("for")) {
                    hops.add(value(parameter));
                }
            }
        }
        int from = Math.max(0, hops.size() - MOST_HOPS);
        return new ArrayList<>(hops.subList(from, hops.size()));
    }

    private static String value(Matcher parameter) {
        return parameter.group(2) == null ? parameter.group(3) : parameter.group(2);
    }

    private static String withoutPort(String hop) {
        Matcher port = WITH_PORT.matcher(hop);
        if (!port.matches()) {
            return hop;
        }
        return port.group(1) == null ? port.group(2) : port.group(1);
    }

    /**
     * The address that the sender called, as far as can be known: the public URL of the settings, else what a trusted proxy
     * says, else the Host header.
     *
     * @param target path and query exactly as sent
     */
    public String url(String peer, UnaryOperator<String> header, String target) {
        if (publicUrl.isPresent()) {
            String base = publicUrl.get().toString();
            return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + target;
        }
        boolean believed = !trusted.isEmpty() && trusted.contain(peer);
        String scheme = believed ? first(header, "X-Forwarded-Proto", "proto") : null;
        String host = believed ? first(header, "X-Forwarded-Host", "host") : null;
        if (host == null) {
            host = header.apply("Host");
        }
        boolean https = scheme != null && scheme.toLowerCase(Locale.ROOT).equals("https");
        boolean named = host != null && HOST.matcher(host).matches();
        return (https ? "https://" : "http://") + (named ? host : "localhost") + target;
    }

    /** The first value, which the proxy nearest to the sender set. */
    private static String first(UnaryOperator<String> header, String name, String parameterName) {
        String values = header.apply(name);
        if (values != null) {
            return values.split(",", 2)[0].strip();
        }
        String forwarded = header.apply("Forwarded");
        Matcher parameter = FORWARDED.matcher(forwarded == null ? "" : forwarded);
        while (parameter.find()) {
            if (parameter.group(1).equalsIgnoreCase(parameterName)) {
                return value(parameter);
            }
        }
        return null;
    }
}
