package redis;

/**
 * How reading goes, for an operator.
 *
 * @param well whether entries are read
 * @param detail what is read and how it goes, in words
 */
public record Standing(boolean well, String detail) {}
