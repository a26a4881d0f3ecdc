package hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

class DatabaseUrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://me:p%40ss%2Fw%3Ard+1@db.example.com:5433/hub?sslmode=require",
                "postgresql://me:p%40ss%2Fw%3Ard+1@db.example.com:5433/hub?sslmode=require",
                "jdbc:postgresql://me:p%40ss%2Fw%3Ard+1@db.example.com:5433/hub?sslmode=require",
                "jdbc:postgresql://db.example.com:5433/hub?user=me&password=p%40ss%2Fw%3Ard+1&sslmode=require"
            })
    void bothFormsSayTheSame(String url) {
        PGSimpleDataSource source = DatabaseUrl.parse(url).dataSource();

        assertThat(source.getServerNames()).containsExactly("db.example.com");
        assertThat(source.getPortNumbers()).containsExactly(5433);
        assertThat(source.getDatabaseName()).isEqualTo("hub");
        assertThat(source.getUser()).isEqualTo("me");
        assertThat(source.getPassword()).isEqualTo("p@ss/w:rd+1");
        assertThat(source.getSslMode()).isEqualTo("require");
    }

    @Test
    void whatLibpqCallsOtherwiseIsTranslated() {
        PGSimpleDataSource source = DatabaseUrl.parse(
                        "postgres://a:5432,b:5433/hub?connect_timeout=7&application_name=mine&target_session_attrs=read-write")
                .dataSource();

        assertThat(source.getServerNames()).containsExactly("a", "b");
        assertThat(source.getPortNumbers()).containsExactly(5432, 5433);
        assertThat(source.getConnectTimeout()).isEqualTo(7);
        assertThat(source.getApplicationName()).isEqualTo("mine");
        assertThat(source.getTargetServerType()).isEqualTo("primary");
    }

    @Test
    void theUrlsOwnParametersWinOverOurs() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://db/hub?socketTimeout=60")
                .or(PGProperty.SOCKET_TIMEOUT, 10)
                .or(PGProperty.CONNECT_TIMEOUT, 3);

        assertThat(url.dataSource().getSocketTimeout()).isEqualTo(60);
        assertThat(url.dataSource().getConnectTimeout()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "postgres://me:secret@db/hub, postgres://me@db:5432/hub",
        "jdbc:postgresql://db:6432/hub?user=me&password=secret, postgres://me@db:6432/hub",
        "'postgres://me:secret@a:1,b:2/hub', 'postgres://me@a:1,b:2/hub'",
        "postgres://me:secret@[::1]:5432/hub, postgres://me@[::1]:5432/hub"
    })
    void itIsPrintedWithoutThePassword(String url, String shown) {
        assertThat(DatabaseUrl.parse(url)).hasToString(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "mysql://me:secret@db/hub, must begin with",
        "postgres://me:secret@db:port/hub, a port that is a number",
        "postgres://me:secret%zz@db/hub, write %25",
        "postgres://me:secret@db/hub?sslmod=require, Did you mean sslmode?"
    })
    void whatIsWrongIsSaidWithoutQuotingIt(String url, String rule) {
        assertThatThrownBy(() -> DatabaseUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(rule)
                .hasMessageNotContaining("secret");
    }
}
