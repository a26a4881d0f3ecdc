package pgevent;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a package has logged at INFO and above since this was made. */
final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            if (line.getLevel().isGreaterOrEqual(Level.INFO)) {
                lines.add(line);
            }
        }
    };

    private LogLines(Logger logger) {
        this.logger = logger;
        appender.start();
        logger.addAppender(appender);
    }

    static LogLines of(String loggerName) {
        return new LogLines((Logger) LoggerFactory.getLogger(loggerName));
    }

    long count(String words) {
        return lines.stream()
                .filter(line -> line.getFormattedMessage().contains(words))
                .count();
    }

    /** How many lines stand in the busiest second, give or take the millisecond of the clock. */
    long mostInOneSecond() {
        return lines.stream()
                .mapToLong(ILoggingEvent::getTimeStamp)
                .map(from -> lines.stream()
                        .mapToLong(ILoggingEvent::getTimeStamp)
                        .filter(at -> at >= from && at < from + 990)
                        .count())
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
