import { SECRET_TEXT } from "@devid/pulumi/state";
import { z } from "zod";

const Config = z.record(z.string(), z.string());
const Names = z.array(z.string());

/**
 * The unencrypted values of stack config by name (`devid:region`). The engine passes
 * the configuration to a pack in environment variables.
 */
export function plainStackConfig(): Readonly<Record<string, string>> {
  const { env } = process;
  const config = Config.parse(JSON.parse(env.PULUMI_CONFIG || "{}"));
  const encrypted = Names.parse(
    JSON.parse(env.PULUMI_CONFIG_SECRET_KEYS || "[]"),
  );
  return Object.fromEntries(
    Object.entries(config).filter(
      ([name, value]) => !encrypted.includes(name) && value !== SECRET_TEXT,
    ),
  );
}
