package model;

/**
 * A todo that a rule asks for.
 *
 * @param queue where it waits
 * @param kind a short word for agents to switch on; may be null
 * @param title one line for people; may be null
 * @param key idempotency key: at most one live todo of a queue has it; null never deduplicates
 * @param priority higher first, 0 by default
 * @param assignee the worker label it is kept for; null for the pool
 * @param maxAttempts charged failures before it is dead; null for the queue's default
 */
public record TodoDraft(
        String queue, String kind, String title, String key, int priority, String assignee, Integer maxAttempts) {}
