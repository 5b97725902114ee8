// The floor of `devid rules check`: its libraries alone read arguments and a rule file.
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { parseDocument } from "yaml";
import { z } from "zod";

const Rule = z.looseObject({
  name: z.string().min(1),
  expression: z.string(),
  action: z.enum(["allow", "deny"]),
});
const RuleFile = z.looseObject({ rules: z.array(Rule) });

new Command()
  .argument("<file>")
  .action((file) => {
    const content = parseDocument(readFileSync(file, "utf8")).toJS();
    console.log(`${RuleFile.parse(content).rules.length} rules`);
  })
  .parse();
