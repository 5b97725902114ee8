// A program of the Automation API, as an ES module. It prints the changes of every
// operation as a line of JSON. The first argument is the package of the resources.
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";

const devid = await import(process.argv[2]);

let expression = "http.user_agent.is_crawler_bot";
const program = async () => {
  const { id: environment } = new devid.Environment("staging", {
    name: "Staging",
  });
  const key = new devid.ApiKey("server", {
    name: "Server",
    type: "secret",
    environment,
  });
  new devid.FilteringRuleSet("rules", {
    environment,
    rules: [{ name: "bots", expression, action: "deny" }],
  });
  return { token: key.token };
};

const stack = await LocalWorkspace.createStack(
  { stackName: "dev", projectName: "inline", program },
  { workDir: import.meta.dirname },
);
const print = (line) => console.log(JSON.stringify(line));
const { summary, outputs } = await stack.up();
print(summary.resourceChanges);
print({ isSecret: outputs.token.secret });
expression = "http.user_agent.is_ai_bot";
print((await stack.preview()).changeSummary);
print((await stack.up()).summary.resourceChanges);
print((await stack.refresh({ runProgram: true })).summary.resourceChanges);
print((await stack.destroy()).summary.resourceChanges);
