/**
 * What adapters.yaml says: who may deliver, how a delivery is verified, and which todos it makes.
 *
 * <p>{@link adapters.AdaptersFile} turns the file into {@link adapters.Adapters}, an immutable value, or reports
 * everything that is wrong with it at once. {@link adapters.Rules} turns a delivery into todos. Imports {@code
 * verify} and {@code model}; no Camel types; reads the one file and nothing else.
 */
package adapters;
