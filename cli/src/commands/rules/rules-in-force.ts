import type { Environment } from "@devid/sdk";
import { ruleFileYaml, rulesDigest, type Rule } from "@devid/rules";
import { Command, Option } from "commander";
import {
  regionOption,
  environmentOption,
  jsonFormatOption,
  outOption,
} from "../../flags/shared-options";
import { configuredClient } from "../../sources/configured-client";
import { LiveRules } from "../../sources/live-rules";
import { writeReport, jsonReport } from "../../output/write-output";

interface Flags {
  readonly environment?: string;
  readonly region?: string;
  readonly format: "yaml" | "json" | "digest";
  readonly json?: true;
  readonly out?: string;
}

/** The rules in force in one environment. */
interface InForce {
  readonly region: string;
  readonly environment: Environment;
  readonly rules: readonly Rule[];
}

/**
 * `devid rules in-force`: prints the rules in force in an environment, or their
 * digest.
 */
export function rulesInForce(): Command {
  return new Command("in-force")
    .addOption(
      environmentOption(
        "environment of the rules (default: the default environment)",
      ),
    )
    .addOption(regionOption())
    .addOption(
      new Option(
        "--format <format>",
        "a rule file, JSON, or a digest of the rules in one line",
      )
        .choices(["yaml", "json", "digest"])
        .default("yaml"),
    )
    .addOption(jsonFormatOption())
    .addOption(outOption())
    .action(async (flags: Flags) => {
      const client = configuredClient(flags);
      const live = new LiveRules(client);
      const environment = await live.environment(flags.environment);
      const rules = await live.of(environment.id);
      const { region } = client.configuration;
      const text = formatted({ region, environment, rules }, flags);
      writeReport(text, flags.out);
    });
}

function formatted(
  { region, environment, rules }: InForce,
  { format: asked, json }: Flags,
): string {
  const format = json ? "json" : asked;
  if (format === "yaml") return ruleFileYaml(rules);
  const digest = rulesDigest(rules);
  if (format === "digest") return `${digest}\n`;
  const { id, name } = environment;
  const found = {
    region,
    environment: { id, name },
    digest,
    rules,
  };
  return jsonReport(found);
}
