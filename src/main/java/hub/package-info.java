/**
 * The house itself: the command line, the configuration, the database under it and the hub that puts the rooms together.
 *
 * <p>May import every other package; none imports it. {@code java.sql} is used here only by {@link hub.Database} and the
 * collaborators that its Javadoc names.
 */
package hub;
