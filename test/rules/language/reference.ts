import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileExpression } from "../../../rules/src/eval/compile-expression";
import { checkExpression, type RuleRequest } from "../../../rules/src/language";

/** An expression and a request. */
export interface Case {
  readonly expression: string;
  readonly request: RuleRequest;
}

/** The answer of expr-lang or of ours. */
export interface Verdict {
  readonly value?: boolean;
  readonly error?: string;
  /** When the reference found the error. */
  readonly stage?: "compile" | "run";
}

/** Why the reference cannot run here, or nothing. */
export function reasonToSkip(): string | undefined {
  const { error, status } = spawnSync("go", ["version"]);
  return error || status !== 0 ? "Go is not installed" : undefined;
}

/** Builds the reference once. @returns the program's path */
export function buildReference(): string {
  const program = join(mkdtempSync(join(tmpdir(), "expr-lang-")), "expr-lang");
  const module = join(__dirname, "../../expr-lang");
  execFileSync("go", ["build", "-o", program, "."], { cwd: module });
  return program;
}

/** The answers of expr-lang. */
export function askReference(
  program: string,
  cases: readonly Case[],
): Verdict[] {
  const input = cases.map((c) => JSON.stringify(c)).join("\n");
  const maxBuffer = 1 << 30;
  const output = execFileSync(program, { input, maxBuffer, encoding: "utf8" });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Verdict);
}

/** The answer of our language. */
export function ask({ expression, request }: Case): Verdict {
  const checked = checkExpression(expression);
  if (!checked.ok)
    return { error: checked.problems.map((p) => p.message).join("; ") };
  const result = compileExpression(checked.expression).evaluate(request);
  return "error" in result ? { error: result.error.message } : result;
}

/** The cases with different answers, except those that we say we do not support. */
export function disagreements(program: string, cases: readonly Case[]) {
  const theirs = askReference(program, cases);
  let unsupported = 0;
  const found = cases.flatMap((one, i) => {
    const reference = theirs[i];
    const ours = ask(one);
    if (ours.value === reference?.value) return [];
    if (ours.error?.includes("not supported by the service's")) {
      unsupported++;
      return [];
    }
    return [{ ...one, ours, reference }];
  });
  return {
    found,
    unsupported,
    values: theirs.filter((v) => v.value !== undefined).length,
  };
}
