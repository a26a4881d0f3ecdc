package claims;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import model.Todo;
import org.apache.camel.component.sql.DefaultRowMapperFactory;
import org.springframework.jdbc.core.RowMapper;

/** Reads the rows of statements that answer todos: {@code ?rowMapperFactory=#class:claims.TodoRows}. */
public final class TodoRows extends DefaultRowMapperFactory {

    /**
     * @param n which item of the batch this answers, from 1; 0 where the statement has no batch
     * @param verdict what became of the item; {@code CHANGED} where the statement does not say
     * @param todo null when nothing changed
     */
    record Row(int n, Verdict verdict, Todo todo) {}

    @Override
    public RowMapper<?> newColumnRowMapper() {
        // a mapper serves one result, so it may remember what its columns are
        return new RowMapper<Row>() {
            private Boolean batched;
            private Boolean judged;

            @Override
            public Row mapRow(ResultSet row, int number) throws SQLException {
                if (batched == null) {
                    batched = has(row, "n");
                    judged = has(row, "verdict");
                }
                return new Row(
                        batched ? row.getInt("n") : 0,
                        judged ? Verdict.of(row.getString("verdict")) : Verdict.CHANGED,
                        todo(row));
            }
        };
    }

    private static boolean has(ResultSet row, String label) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            if (columns.getColumnLabel(i).equals(label)) {
                return true;
            }
        }
        return false;
    }

    private static Todo todo(ResultSet row) throws SQLException {
        UUID id = row.getObject("id", UUID.class);
        return id == null
                ? null
                : new Todo(
                        id,
                        row.getString("queue"),
                        row.getString("source"),
                        row.getString("kind"),
                        row.getString("title"),
                        row.getString("state"),
                        row.getInt("priority"),
                        row.getInt("attempt"),
                        row.getInt("failures"),
                        row.getInt("max_attempts"),
                        row.getString("assignee"),
                        row.getString("owner"),
                        row.getString("worker"),
                        instant(row, "ready_at"),
                        instant(row, "lease_expires_at"),
                        instant(row, "created_at"),
                        instant(row, "updated_at"),
                        instant(row, "claimed_at"),
                        instant(row, "completed_at"),
                        row.getObject("event_id", Long.class),
                        row.getString("payload"),
                        row.getString("payload_ref"),
                        row.getString("idempotency_key"),
                        row.getString("created_by"),
                        row.getString("last_error"),
                        row.getString("failed_reason"),
                        row.getString("result"));
    }

    private static Instant instant(ResultSet row, String label) throws SQLException {
        OffsetDateTime time = row.getObject(label, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
