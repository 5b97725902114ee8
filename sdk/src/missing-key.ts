import type { Configuration } from "./configuration";

/** The message for a configuration without a management key: which key, where it was looked for, in what order. */
export function missingManagementKey(configuration: Configuration): string {
  return missing(
    configuration,
    "management API key",
    configuration.lookedFor.managementKey,
    "devid:managementKey",
  );
}

/** The same for the secret API key. */
export function missingSecretKey(configuration: Configuration): string {
  return missing(
    configuration,
    "secret API key",
    configuration.lookedFor.secretKey,
    "devid:secretKey",
  );
}

function missing(
  { region }: Configuration,
  what: string,
  lookedFor: readonly string[],
  setting: string,
): string {
  const places = lookedFor
    .map((place, index) => `\n  ${index + 1}. ${place}`)
    .join("");
  return (
    `The ${what} of region ${region} is missing. It was looked for, in this order, in:${places}\n` +
    `Make one in the service's dashboard; a stack keeps it encrypted with: pulumi config set --secret ${setting}`
  );
}
