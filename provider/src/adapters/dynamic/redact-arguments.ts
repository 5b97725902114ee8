import { Redactor } from "@devid/sdk";

/**
 * Takes the texts of arguments out of an error's message, which may quote them:
 * for arguments that a program gave as a secret.
 */
export function redactArguments(error: unknown, args: unknown): void {
  if (!(error instanceof Error)) return;
  const redactor = new Redactor();
  JSON.stringify(args, (_, value: unknown) => {
    if (typeof value === "string") redactor.add(value);
    return value;
  });
  error.message = redactor.redact(error.message);
}
