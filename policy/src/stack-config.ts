import { z } from "zod";

/** How the engine shows an encrypted value of stack config to a policy pack. */
export const HIDDEN = "[secret]";

const Config = z.record(z.string(), z.string());
const Names = z.array(z.string());

/**
 * The values of stack config that stand there in plain text, by their names
 * (`devid:region`). The engine hands the configuration to a pack in its
 * environment, and encrypted values without their content.
 */
export function plainStackConfig(
  env: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string>> {
  const config = Config.parse(JSON.parse(env.PULUMI_CONFIG || "{}"));
  const encrypted = Names.parse(
    JSON.parse(env.PULUMI_CONFIG_SECRET_KEYS || "[]"),
  );
  return Object.fromEntries(
    Object.entries(config).filter(
      ([name, value]) => !encrypted.includes(name) && value !== HIDDEN,
    ),
  );
}
