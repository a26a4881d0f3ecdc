package pgevent;

/** What a NOTIFY carried; two with the same channel and payload say the same thing. */
record Notification(String channel, String payload) {

    /** A wake that no NOTIFY sent: whoever waits looks again, because something may have been missed. */
    static Notification wake(String reason) {
        return new Notification(Notifications.WAKE, reason);
    }
}
