/** How often something is tried and said: waits between attempts, lines in the log. Imports nothing of the house. */
package pace;
