import { hideKeys } from "@devid/rules";
import { isKeyVariable, Redactor } from "@devid/sdk";
import { errorText, exitCodeOf } from "./report-error";

/** Other secrets of a pipeline: a runner masks them in its log, but not in a comment. */
const OTHER_SECRETS = [
  "PULUMI_ACCESS_TOKEN",
  "CLICKHOUSE_PASSWORD",
  "TRINO_PASSWORD",
];

/**
 * Redacts a report, which is plain data: the keys in the environment, and
 * everything that looks like a key. With `showSecrets`, the report stays as it
 * is.
 */
export function withoutKeys<T>(
  report: T,
  { showSecrets = false }: { readonly showSecrets?: boolean } = {},
): T {
  if (showSecrets) return report;
  const redactor = new Redactor();
  for (const [name, key] of Object.entries(process.env))
    if (isKeyVariable(name) || OTHER_SECRETS.includes(name))
      redactor.add(key?.trim());
  return hideKeys(report, (text) => redactor.redact(text));
}

/** Why a part of a command failed, for a report, and the exit code of the command. */
export const failureOf = (error: unknown) => ({
  failure: withoutKeys(errorText(error)),
  exitCode: exitCodeOf(error),
});
export type Failure = Readonly<ReturnType<typeof failureOf>>;
