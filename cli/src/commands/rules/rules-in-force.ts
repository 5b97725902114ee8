import { ruleFileYaml } from "@devid/rules";
import { choiceFlag, defineCommand } from "../../flags/define-command";
import {
  jsonFormatFlag,
  outFlag,
  workspaceFlags,
} from "../../flags/shared-flags";
import { configuredClient } from "../../sources/configured-client";
import { LiveRules } from "../../sources/live-rules";
import { printReport } from "../../output/print-report";

/** `devid rules in-force`: prints the rules in force, or their digest. */
export const rulesInForce = defineCommand({
  flags: {
    ...workspaceFlags(
      "environment of the rules (default: the default environment)",
    ),
    format: choiceFlag(
      "<format> a rule file, JSON, or a digest of the rules in one line",
      ["yaml", "json", "digest"],
    ).or("yaml"),
    json: jsonFormatFlag,
    out: outFlag,
  },
  run: async (flags) => {
    const client = configuredClient(flags);
    const { environment, rules, digest } = await new LiveRules(client).inForce(
      flags.environment,
    );
    const { region } = client.configuration;
    const { id, name } = environment;
    printReport(flags, {
      yaml: () => ruleFileYaml(rules),
      json: () => ({ region, environment: { id, name }, digest, rules }),
      digest: () => `${digest}\n`,
    });
  },
});
