import { UNKNOWN_TEXT } from "@devid/pulumi/state";
import { settingSources } from "@devid/pulumi/state";
import {
  ConfigurationError,
  createClient,
  DevidError,
  optionsFromEnvironment,
  SearchTimeoutError,
  ServerError,
  ThrottledError,
  UnreachableError,
  type Client,
} from "@devid/sdk";
import { z } from "zod";
import type { Report } from "./define-policy";
import { HIDDEN } from "./stack-config";

/** The setting for the case that the service does not answer. */
export const WhenUnreachable = z
  .enum(["fail", "advise"])
  .default("fail")
  .describe(
    "What happens where the service cannot be reached, or does not answer in time: `fail` is a violation, `advise` lets the policy pass and `not-checked` tell it.",
  );

/**
 * A client with the given settings of a provider or of stack config, and otherwise
 * those of the environment. A pack cannot read encrypted stack config, so keys come
 * from the environment or from an explicit provider.
 * @throws ConfigurationError
 */
export function clientFor(settings: Readonly<Record<string, unknown>>): Client {
  const sources = settingSources((name) => {
    const value = settings[name];
    if (value === undefined || value === HIDDEN || value === UNKNOWN_TEXT)
      return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  return createClient(optionsFromEnvironment(sources));
}

/** Runs a check that asks the service. If the service refuses or does not answer, the report says why. */
export async function asking(
  whenUnreachable: z.output<typeof WhenUnreachable>,
  report: Report,
  ask: () => Promise<void>,
): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof DevidError)) throw error;
    if (!isOutage(error))
      report.violation(
        `Could not be checked: ${error.message}${advice(error)}`,
      );
    else if (whenUnreachable === "advise")
      report.notChecked(`not checked: service unreachable. ${error.message}`);
    else
      report.violation(
        `Could not be checked, for the service is unreachable: ${error.message} To go on without this check, set whenUnreachable: "advise" for this policy.`,
      );
  }
}

/** Whether an error means that the service does not answer at present. */
export function isOutage(error: DevidError): boolean {
  return [
    UnreachableError,
    ServerError,
    ThrottledError,
    SearchTimeoutError,
  ].some((type) => error instanceof type);
}

function advice(error: DevidError): string {
  return error instanceof ConfigurationError
    ? "\nA policy pack cannot read what is encrypted in stack config: give it the key in its environment, as DEVID_SECRET_KEY."
    : "";
}
