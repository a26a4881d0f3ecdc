package adapters;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.validator.CelValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.DurationLiteralValidator;
import dev.cel.validator.validators.RegexLiteralValidator;
import dev.cel.validator.validators.TimestampLiteralValidator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One CEL expression, compiled once. CEL has no loops and no recursion, its comprehensions run on a budget and its
 * regular expressions in linear time, so no delivery can make one run away.
 *
 * <p>The language: cel.dev, with the macros ({@code has}, {@code exists}, {@code all}, {@code map}, {@code filter}),
 * the strings extension and optional values ({@code payload.?x.orValue("none")}).
 */
final class Expression {

    /** The names that rules may use. */
    static final List<String> VARIABLES =
            List.of("source", "type", "trust_mode", "verified", "size", "received_at", "payload", "headers");

    private static final int MAX_ITERATIONS = 10_000;

    /** Instructions of a compiled regular expression; the literal {@code (x{100}){100}} would need ten thousand. */
    private static final int MAX_REGEX_PROGRAM = 2_000;

    private static final CelOptions OPTIONS = CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .comprehensionMaxIterations(MAX_ITERATIONS)
            .maxRegexProgramSize(MAX_REGEX_PROGRAM)
            .build();

    // both sides need the extensions, and only the compiler the macros: without them has() is "undeclared"
    private static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.strings(), CelExtensions.optional())
            .addVar("source", SimpleType.STRING)
            .addVar("type", SimpleType.STRING)
            .addVar("trust_mode", SimpleType.STRING)
            .addVar("verified", SimpleType.BOOL)
            .addVar("size", SimpleType.INT)
            .addVar("received_at", SimpleType.TIMESTAMP)
            .addVar("payload", SimpleType.DYN)
            .addVar("headers", MapType.create(SimpleType.STRING, SimpleType.STRING))
            .build();
    private static final CelRuntime RUNTIME = CelRuntimeFactory.plannerRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(CelExtensions.strings(), CelExtensions.optional())
            .build();
    private static final CelValidator LITERALS = CelValidatorFactory.standardCelValidatorBuilder(COMPILER, RUNTIME)
            .addAstValidators(
                    RegexLiteralValidator.INSTANCE,
                    TimestampLiteralValidator.INSTANCE,
                    DurationLiteralValidator.INSTANCE)
            .build();

    private static final Pattern UNDECLARED =
            Pattern.compile("undeclared reference to '([^']*)' \\(in container ''\\)");
    private static final int SHOWN_ISSUES = 3;

    /** What CEL says when a name leads nowhere: no such key, no such index, or a field of something that has none. */
    private static final Set<CelErrorCode> MISSING =
            Set.of(CelErrorCode.ATTRIBUTE_NOT_FOUND, CelErrorCode.INDEX_OUT_OF_BOUNDS);

    private final CelRuntime.Program program;
    private final boolean readsPayload;

    private Expression(CelRuntime.Program program, boolean readsPayload) {
        this.program = program;
        this.readsPayload = readsPayload;
    }

    /** A condition: its type must be a truth value, or one that only a delivery can tell. */
    static Expression condition(String source) throws Uncompilable {
        return compile(source, Set.of(CelKind.BOOL), "a condition is true or false");
    }

    /** A piece of text: whatever can be written in a line. */
    static Expression text(String source) throws Uncompilable {
        Set<CelKind> writable = Set.of(
                CelKind.STRING,
                CelKind.INT,
                CelKind.UINT,
                CelKind.DOUBLE,
                CelKind.BOOL,
                CelKind.TIMESTAMP,
                CelKind.DURATION,
                CelKind.OPAQUE);
        return compile(source, writable, "text is wanted; join(\", \") makes it of a list, size(…) of its length");
    }

    private static Expression compile(String source, Set<CelKind> kinds, String rule) throws Uncompilable {
        try {
            CelAbstractSyntaxTree ast = accepted(COMPILER.compile(source));
            CelKind kind = ast.getResultType().kind();
            if (!kinds.contains(kind) && !kind.isDyn()) {
                throw new Uncompilable("this is of type " + ast.getResultType().name() + " where " + rule);
            }
            accepted(LITERALS.validate(ast));
            return new Expression(RUNTIME.createProgram(ast), readsPayload(ast));
        } catch (CelValidationException | CelEvaluationException e) {
            throw new IllegalStateException("CEL accepted an expression and then did not", e);
        }
    }

    private static boolean readsPayload(CelAbstractSyntaxTree ast) {
        return CelNavigableAst.fromAst(ast)
                .getRoot()
                .allNodes()
                .anyMatch(node -> node.getKind() == CelExpr.ExprKind.Kind.IDENT
                        && node.expr().ident().name().equals("payload"));
    }

    private static CelAbstractSyntaxTree accepted(CelValidationResult result)
            throws Uncompilable, CelValidationException {
        if (result.hasError()) {
            throw new Uncompilable(result.getErrors().stream()
                    .limit(SHOWN_ISSUES)
                    .map(Expression::message)
                    .collect(Collectors.joining("; also ")));
        }
        return result.getAst();
    }

    private static String message(CelIssue issue) {
        String message = issue.getMessage();
        Matcher undeclared = UNDECLARED.matcher(message);
        if (undeclared.matches()) {
            String name = undeclared.group(1);
            message = "\"" + name + "\" is not known to rules" + Nearest.hint(name, VARIABLES) + " (known: "
                    + String.join(", ", VARIABLES) + ")";
        }
        return message + ", at character " + (issue.getSourceLocation().getColumn() + 1);
    }

    /**
     * The value, or empty when a field that it needs is missing.
     *
     * @throws Fault when it cannot be worked out for any other reason
     */
    Optional<Object> value(Evaluation evaluation) throws Fault {
        try {
            Object value = program.eval(evaluation);
            if (value instanceof Optional<?> optional) {
                return optional.map(found -> found);
            }
            return value == NullValue.NULL_VALUE ? Optional.empty() : Optional.of(value);
        } catch (CelEvaluationException e) {
            // a body that is no JSON has no fields, whatever the rule does with it
            boolean withoutPayload = readsPayload && evaluation.foundNoPayload();
            if (MISSING.contains(e.getErrorCode()) || withoutPayload) {
                return Optional.empty();
            }
            throw new Fault(e.getErrorCode().name().toLowerCase(Locale.ROOT));
        } catch (RuntimeException e) {
            throw new Fault("internal_error");
        }
    }
}
