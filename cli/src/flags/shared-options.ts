import { REGIONS } from "@devid/sdk";
import { Option } from "commander";

/** `--region`, which wins over the environment. */
export const regionOption = (): Option =>
  new Option("--region <region>", "region of the workspace").choices([
    ...REGIONS,
  ]);

/** `--show-secrets`, of every command whose report hides keys. */
export function showSecretsOption(): Option {
  return new Option(
    "--show-secrets",
    "print keys in full instead of [redacted]",
  );
}
