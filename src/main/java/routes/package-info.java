/**
 * The routes: doors, the one intake transaction, agents, timers, operator. Reads top-down as the path of one delivery.
 * Imports every other room but {@code hub}; SQL runs here and nowhere else.
 */
package routes;
