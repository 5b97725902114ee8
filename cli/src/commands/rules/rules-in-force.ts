import { ruleFileYaml } from "@devid/rules";
import { Option } from "commander";
import {
  Command,
  jsonFormatOption,
  outOption,
  workspaceOptions,
  type WorkspaceFlags,
} from "../../flags/shared-options";
import { configuredClient } from "../../sources/configured-client";
import { LiveRules } from "../../sources/live-rules";
import { printReport, type ReportFlags } from "../../output/print-report";

type Flags = WorkspaceFlags & ReportFlags<"yaml" | "digest">;

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
      const { environment, rules, digest } = await live.inForce(
        flags.environment,
      );
      const { region } = client.configuration;
      const { id, name } = environment;
      printReport(flags, {
        yaml: () => ruleFileYaml(rules),
        json: () => ({ region, environment: { id, name }, digest, rules }),
        digest: () => `${digest}\n`,
      });
    });
}
