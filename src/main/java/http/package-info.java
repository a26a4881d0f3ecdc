/**
 * The engine under Camel's {@code platform-http:} scheme, and the server that it listens with.
 *
 * <p>One request, read by class name: {@link http.HttpServer} takes the connection, {@code Arrival} asks the
 * {@link http.Doorman} and finds the route ({@code RouteTable}), {@code BodyReader} collects the bytes, a {@code Call}
 * runs the route, and {@code ResponseWriter} answers. Every refusal, whoever makes it, is written by the one
 * {@link http.RefusalWriter}.
 *
 * <p>Two kinds of threads: the event loop does everything up to the whole body and every write, and never waits; the
 * workers run routes. A route that goes asynchronous gives its worker back.
 *
 * <p>May import {@code model}, Camel and Vert.x; no other room of the house.
 */
package http;
