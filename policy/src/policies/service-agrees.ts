import { containsUnknownText } from "@devid/pulumi/state";
import {
  decodeRuleFile,
  readProjectFile,
  hasLiveDifference,
  liveDifferences,
  liveSummary,
  openRuleFile,
  rulesDigest,
  runLiveTests,
  runRuleTests,
  type RuleFile,
} from "@devid/rules";
import type { Client } from "@devid/sdk";
import { fileProblem } from "@devid/sdk/errors";
import { z } from "zod";
import { pathInConfiguration } from "../configuration-file";
import { isRuleSet, rulesOf } from "../declared-rules";
import { definePolicy, type Report } from "../define-policy";
import { clientOf, WhenUnreachable } from "../service-access";

const config = z.strictObject({
  ruleFiles: z
    .array(z.string().min(1))
    .default([])
    .describe(
      "Rule files whose tests the service decides, too. Without any, nothing is asked.",
    ),
  maxTests: z
    .int()
    .min(1)
    .default(100)
    .describe(
      "Largest number of tests of a file to ask about, the first ones.",
    ),
  whenUnreachable: WhenUnreachable,
});

type Config = z.output<typeof config>;

/**
 * The service decides the tests of rule files as devid does. A rule set is
 * checked with the tests of the file that has the same rules. Nothing is sent
 * without a management key.
 */
export const serviceAgrees = definePolicy({
  name: "service-agrees",
  description: "The service must decide the tests of rule files as devid does.",
  config,
  appliesTo: isRuleSet,
  async check({ resource, config, report }) {
    const { provider } = resource;
    const declared = rulesOf(resource);
    if (config.ruleFiles.length === 0 || !declared) return;
    if (containsUnknownText(provider)) return;
    const digest = rulesDigest(declared.map(({ rule }) => rule));
    const files = openFiles(config, report).filter(
      ({ rules }) => rulesDigest(rules) === digest,
    );
    if (files.length === 0)
      return report.notChecked(
        "no file of ruleFiles has these rules, so there are no tests to ask the service about.",
      );
    const client = clientOf(resource);
    if (!client.configuration.managementKey)
      return report.notChecked(
        "the service was not asked, because there is no management key. Give the pack one in its environment, as DEVID_MANAGEMENT_KEY.",
      );
    for (const file of files) await compare(client, file, config, report);
  },
});

/** Opens the rule files; one that cannot be read is a violation. */
function openFiles({ ruleFiles }: Config, report: Report): RuleFile[] {
  return ruleFiles.flatMap((given) => {
    const path = pathInConfiguration(given);
    if (path === undefined) {
      report.violation(
        `ruleFiles must hold absolute paths, because a pack runs in its own folder: ${given} is not. In a configuration that DEVID_POLICY_CONFIG names, a path may be relative to the folder of that configuration.`,
      );
      return [];
    }
    try {
      return [openRuleFile(decodeRuleFile(readProjectFile(path)), path)];
    } catch (error) {
      const problem = fileProblem(error, "read");
      report.violation(`Could not be checked: ${path}: ${problem}`);
      return [];
    }
  });
}

async function compare(
  client: Client,
  file: RuleFile,
  { maxTests }: Config,
  report: Report,
): Promise<void> {
  const { path, tests } = file;
  if (tests.length === 0)
    return report.notChecked(
      `${path} has no tests, so the service was asked nothing.`,
    );
  const live = await runLiveTests(
    file,
    runRuleTests(file).tests,
    (question) => client.filteringRules.test(question),
    { maxTests },
  );
  const { region } = client.configuration;
  if (hasLiveDifference(live))
    report.violation(
      [
        `The service of region ${region} reads these rules otherwise than devid, so what devid says of them does not hold there.`,
        ...liveDifferences(live, path),
        `Write the rule so that both decide alike; devid rules test --live ${path} asks again.`,
      ].join("\n"),
    );
  else if (live.tests.some(({ outcome }) => outcome.kind === "not asked"))
    report.notChecked(
      `${path}:\n${liveSummary(live, `the service of region ${region}`)}`,
    );
}
