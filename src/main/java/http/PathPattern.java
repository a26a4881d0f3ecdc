package http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import model.Refusal;

/**
 * The path of a route: {@code /webhooks/{name}}, {@code /files/*}. A parameter takes one segment or a part of one.
 *
 * @param template as the route says it
 * @param start what every matching path begins with; most paths of most other routes do not
 * @param rank sorts patterns: at the first segment in which two differ, a literal comes before a parameter and a
 *     parameter before a prefix, whatever the order in which routes start
 */
record PathPattern(String template, String start, Pattern regex, List<String> names, String rank) {
    private static final Pattern PARAMETER = Pattern.compile("\\{([^/}]+)}");

    static PathPattern of(String path, boolean prefix) {
        boolean open = prefix || path.endsWith("*");
        String stem = path.endsWith("*") ? path.substring(0, path.length() - 1) : path;
        stem = RequestHead.withoutTrailingSlash(stem.startsWith("/") ? stem : "/" + stem);

        StringBuilder regex = new StringBuilder();
        List<String> names = new ArrayList<>();
        Matcher parameter = PARAMETER.matcher(stem);
        int literalFrom = 0;
        while (parameter.find()) {
            regex.append(Pattern.quote(stem.substring(literalFrom, parameter.start())))
                    .append("([^/]+)");
            names.add(parameter.group(1));
            literalFrom = parameter.end();
        }
        regex.append(Pattern.quote(stem.substring(literalFrom)));
        if (open) {
            regex.append(stem.endsWith("/") ? ".*" : "(?:/.*)?");
        }
        String template = open ? stem + (stem.endsWith("/") ? "*" : "/*") : stem;
        int parameterAt = stem.indexOf('{');
        String start = parameterAt < 0 ? stem : stem.substring(0, parameterAt);
        return new PathPattern(
                template, start, Pattern.compile(regex.toString()), List.copyOf(names), rank(stem, open));
    }

    /**
     * The decoded parameters, if the path is one of these.
     *
     * @throws Refusal INVALID_REQUEST if a parameter cannot be decoded
     */
    Optional<Map<String, String>> match(String path) {
        if (!path.startsWith(start)) {
            return Optional.empty();
        }
        Matcher matcher = regex.matcher(path);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        if (names.isEmpty()) {
            return Optional.of(Map.of());
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            parameters.put(names.get(i), decoded(matcher.group(i + 1)));
        }
        return Optional.of(parameters);
    }

    private static String rank(String stem, boolean open) {
        StringBuilder rank = new StringBuilder();
        for (String segment : stem.substring(1).split("/", -1)) {
            if (PARAMETER.matcher(segment).matches()) {
                rank.append('2');
            } else {
                rank.append(PARAMETER.matcher(segment).find() ? '1' : '0');
            }
        }
        return rank.append(open ? "3" : "").toString();
    }

    private static String decoded(String segment) {
        try {
            // a plus is a plus in a path
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new Refusal(
                    Refusal.Code.INVALID_REQUEST, "the path has a percent sign that starts no escape", malformed);
        }
    }
}
