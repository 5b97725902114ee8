import { Redactor } from "@devid/sdk";
import type { Values } from "./value";

/** Removes every text of the named values from messages. */
export function redactorOf(
  all: readonly Values[],
  names: ReadonlySet<string>,
): (text: string) => string {
  const secrets = all
    .flatMap((values) => Object.entries(values))
    .filter(([name]) => names.has(name));
  if (secrets.length === 0) return (text) => text;
  let redactor: Redactor | undefined;
  return (text) =>
    (redactor ??= knowing(secrets.map(([, value]) => value))).redact(text);
}

/** A redactor that knows every text within the values. */
function knowing(values: readonly unknown[]): Redactor {
  const redactor = new Redactor();
  JSON.stringify(values, (_, value: unknown) => {
    if (typeof value === "string") redactor.add(value);
    return value;
  });
  return redactor;
}
