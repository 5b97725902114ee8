import { findEngine } from "@devid/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPulumiProject, type PulumiProject } from "./pulumi-project.js";

// A pack without the policy SDK. It implements the analyzer service itself, and reads the environment
// variables that the SDK reads at its start.
const PACK = `
const grpc = require("@grpc/grpc-js");
const { AnalyzerService } = require("@pulumi/pulumi/proto/analyzer_grpc_pb");
const analyzer = require("@pulumi/pulumi/proto/analyzer_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const pulumi = require("@pulumi/pulumi");

const limit = new pulumi.Config().get("limit");
let tags = 0;

function analyze(call, callback) {
  const response = new analyzer.AnalyzeResponse();
  if (call.request.getName() === "tea") {
    const found = new analyzer.AnalyzeDiagnostic();
    found.setPolicyname("no-tea");
    found.setPolicypackname("drinks");
    found.setPolicypackversion("1.0.0");
    found.setMessage(
      ["limit", limit, pulumi.getStack(), pulumi.getProject(), "configured", tags].join(" "),
    );
    found.setEnforcementlevel(
      limit === "advisory"
        ? analyzer.EnforcementLevel.ADVISORY
        : analyzer.EnforcementLevel.MANDATORY,
    );
    response.addDiagnostics(found);
  }
  callback(null, response);
}

const server = new grpc.Server();
server.addService(AnalyzerService, {
  analyze,
  configureStack(call, callback) {
    tags += 1;
    callback(null, new analyzer.AnalyzerStackConfigureResponse());
  },
  getAnalyzerInfo(call, callback) {
    const info = new analyzer.AnalyzerInfo();
    info.setName("drinks");
    info.setVersion("1.0.0");
    callback(null, info);
  },
  getPluginInfo(call, callback) {
    callback(null, new PluginInfo().setVersion("1.0.0"));
  },
  configure(call, callback) {
    callback(null, new (require("google-protobuf/google/protobuf/empty_pb").Empty)());
  },
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  console.log(port);
  console.log("the pack is ready");
});
`;

const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
new pulumi.ComponentResource("test:index:Drink", "tea");
`;

describe("a policy pack", () => {
  let project: PulumiProject;

  beforeAll(async () => {
    project = await createPulumiProject(await findEngine());
    await project.write("Pulumi.yaml", "name: drinks\nruntime: nodejs\n");
    await project.write("index.js", PROGRAM);
    await project.write(
      "pack/PulumiPolicy.yaml",
      "name: drinks\nruntime: nodejs\nversion: 1.0.0\n",
    );
    const manifest = { name: "drinks", version: "1.0.0", main: "index.js" };
    await project.write("pack/package.json", JSON.stringify(manifest));
    await project.write("pack/index.js", PACK);
    await project.pulumi(["stack", "init", "test"]);
  }, 600_000);

  afterAll(() => project.remove());

  const preview = (): ReturnType<PulumiProject["pulumi"]> =>
    project.pulumi(["preview", "--policy-pack", "pack"], { timeoutMs: 60_000 });

  it("reads the stack's configuration and stops a deployment", async () => {
    await project.pulumi(["config", "set", "limit", "none"]);
    const { exitCode, stdout } = await preview();
    expect(exitCode).toBeGreaterThan(0);
    expect(stdout).toContain("limit none test drinks configured 1");
    expect(stdout).toContain("[mandatory]");
  });

  it("can also only advise", async () => {
    await project.pulumi(["config", "set", "limit", "advisory"]);
    const { exitCode, stdout } = await preview();
    expect(exitCode).toBe(0);
    expect(stdout).toContain("[advisory]");
  });

  it("fails the deployment at once when it crashes while starting", async () => {
    await project.write("pack/index.js", 'throw new Error("no water");');
    const { exitCode, stdout, stderr } = await preview();
    expect(exitCode).toBeGreaterThan(0);
    expect(stdout + stderr).toContain("before it was ready");
    expect(stdout + stderr).toContain("no water");
  });
});
