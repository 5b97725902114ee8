import type { Environment } from "@devid/sdk";
import { ruleFileYaml, rulesDigest, type Rule } from "@devid/rules";
import { Option } from "commander";
import {
  Command,
  formatOf,
  jsonFormatOption,
  outOption,
  workspaceOptions,
  type ReportFlags,
  type WorkspaceFlags,
} from "../../flags/shared-options";
import { configuredClient } from "../../sources/configured-client";
import { LiveRules } from "../../sources/live-rules";
import { writeReport, jsonReport } from "../../output/write-output";

type Flags = WorkspaceFlags & ReportFlags<"yaml" | "digest">;

interface InForce {
  readonly region: string;
  readonly environment: Environment;
  readonly rules: readonly Rule[];
}

/** `devid rules in-force`: prints the rules in force, or their digest. */
export function rulesInForce(): Command {
  return new Command("in-force")
    .flags(
      workspaceOptions(
        "environment of the rules (default: the default environment)",
      ),
      new Option(
        "--format <format>",
        "a rule file, JSON, or a digest of the rules in one line",
      )
        .choices(["yaml", "json", "digest"])
        .default("yaml"),
      jsonFormatOption(),
      outOption(),
    )
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
  flags: Flags,
): string {
  const format = formatOf(flags);
  if (format === "yaml") return ruleFileYaml(rules);
  const digest = rulesDigest(rules);
  if (format === "digest") return `${digest}\n`;
  const { id, name } = environment;
  return jsonReport({ region, environment: { id, name }, digest, rules });
}
