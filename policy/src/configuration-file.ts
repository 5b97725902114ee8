import { isAbsolute } from "node:path";
import type {
  PolicyPackConfig,
  ResourceValidationPolicy,
} from "@pulumi/policy";
import { readProjectFile } from "@devid/rules";
import { fileProblem } from "@devid/sdk/errors";
import { z } from "zod";
import { meant, unknownSetting } from "./name-mistakes";

const VARIABLE = "DEVID_POLICY_CONFIG";

const LEVELS = ["advisory", "mandatory", "remediate", "disabled"];
const Entry = z.union([
  z.string(),
  z.looseObject({ enforcementLevel: z.string().optional() }),
]);
const File = z.record(z.string(), Entry);

/** The configuration of the pack is invalid; each line of the message is a sentence. */
export class PolicyConfigurationError extends Error {
  override readonly name = "PolicyConfigurationError";
}

/**
 * The configuration in the file that `DEVID_POLICY_CONFIG` names, in the form of
 * `--policy-pack-config`; undefined without that variable. With
 * `--policy-pack-config` the engine itself refuses an unknown policy, without saying
 * which policies there are; a file that the pack reads gets better messages. The
 * engine checks types and bounds.
 * @throws PolicyConfigurationError for a file that cannot be read, and for unknown
 * policies, settings and enforcement levels
 */
export function configurationFile(
  policies: readonly ResourceValidationPolicy[],
  env: NodeJS.ProcessEnv = process.env,
): PolicyPackConfig | undefined {
  const path = env[VARIABLE];
  if (!path) return undefined;
  const given = read(path);
  const mistakes = Object.entries(given).flatMap(([name, entry]) =>
    mistakesIn(name, entry, policies),
  );
  if (mistakes.length > 0)
    throw new PolicyConfigurationError(
      [...mistakes, `Correct it in ${path} (${VARIABLE}).`].join("\n"),
    );
  return given as PolicyPackConfig;
}

function read(path: string): z.output<typeof File> {
  if (!isAbsolute(path))
    throw new PolicyConfigurationError(
      `${VARIABLE} must be an absolute path, because a pack runs in its own folder: ${path} is not.`,
    );
  let text: string;
  try {
    text = new TextDecoder().decode(readProjectFile(path));
  } catch (error) {
    throw new PolicyConfigurationError(
      `${VARIABLE} names ${path}, which cannot be read: ${fileProblem(error, "read")}.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new PolicyConfigurationError(
      `${path} (${VARIABLE}) is not JSON: ${String(error)}`,
    );
  }
  const file = File.safeParse(value);
  if (file.success) return file.data;
  throw new PolicyConfigurationError(
    `${path} (${VARIABLE}) must hold an object with an enforcement level or settings for each policy: ${z.prettifyError(file.error)}`,
  );
}

function mistakesIn(
  name: string,
  entry: z.output<typeof Entry>,
  policies: readonly ResourceValidationPolicy[],
): string[] {
  const policy = policies.find((one) => one.name === name);
  if (!policy && name !== "all") {
    const names = policies.map((one) => one.name);
    return [`There is no policy ${name}: ${meant(name, names)}`];
  }
  const { enforcementLevel: level, ...settings } =
    typeof entry === "string" ? { enforcementLevel: entry } : entry;
  const known = Object.keys(policy?.configSchema?.properties ?? {});
  return [
    ...(level === undefined || LEVELS.includes(level)
      ? []
      : [
          `Policy ${name} cannot have the enforcement level ${level}: there are ${LEVELS.join(", ")}.`,
        ]),
    ...Object.keys(settings)
      .filter((setting) => !known.includes(setting))
      .map((setting) => unknownSetting(name, setting, known)),
  ];
}
